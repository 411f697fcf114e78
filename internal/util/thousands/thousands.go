// Package thousands formats whole numbers for people.
package thousands

import (
	"strconv"
	"strings"
)

// Group returns a number with commas between its thousands, such as 1,449.
func Group[N int | int64 | uint64](n N) string {
	return insertCommas(strconv.FormatInt(int64(n), 10))
}

// insertCommas inserts the commas in the digits of a whole number.
func insertCommas(text string) string {
	first := 0
	if strings.HasPrefix(text, "-") {
		first = 1
	}
	for i := len(text) - 3; i > first; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
