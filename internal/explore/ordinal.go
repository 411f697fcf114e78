package explore

import (
	"strconv"
	"strings"
)

// ordinal returns 1st, 2nd, and so on.
func ordinal(n int) string {
	suffix := "th"
	if tens := n % 100 / 10; tens != 1 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

func ordinals(ns []int) string {
	parts := make([]string, len(ns))
	for i, n := range ns {
		parts[i] = ordinal(n)
	}
	return strings.Join(parts, ", ")
}
