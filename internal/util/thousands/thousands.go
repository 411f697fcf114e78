// Package thousands formats whole numbers for people.
package thousands

import "strconv"

// Group returns a number with commas between its thousands, such as 1,449.
func Group[N int | int64 | uint64](n N) string {
	text := strconv.FormatInt(int64(n), 10)
	first := 0
	if n < 0 {
		first = 1
	}
	for i := len(text) - 3; i > first; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
