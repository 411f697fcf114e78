package thousands

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Sprintf formats as [fmt.Sprintf] does, with commas between the thousands of the numbers of %d and %f. Numbers
// that are not quantities, such as seeds, are %v.
func Sprintf(format string, args ...any) string {
	group(args)
	return fmt.Sprintf(format, args...)
}

// Fprintf writes what Sprintf returns.
func Fprintf(w io.Writer, format string, args ...any) (int, error) {
	group(args)
	return fmt.Fprintf(w, format, args...)
}

// group replaces the numbers in place, so that go vet checks the calls of Sprintf as those of fmt.Sprintf.
func group(args []any) {
	for i, arg := range args {
		switch n := arg.(type) {
		case int:
			args[i] = number(n)
		case int64:
			args[i] = number(n)
		case uint64:
			args[i] = number(n)
		case float64:
			args[i] = decimal(n)
		}
	}
}

// number is formatted with commas by %d, to the width of its verb, and without by others.
type number int64

func (n number) Format(s fmt.State, verb rune) {
	if verb != 'd' {
		fmt.Fprintf(s, fmt.FormatString(s, verb), int64(n))
		return
	}
	pad(s, Group(int64(n)))
}

// decimal is formatted with commas by %f, to the width and precision of its verb, and without by others.
type decimal float64

func (d decimal) Format(s fmt.State, verb rune) {
	if verb != 'f' || math.IsInf(float64(d), 0) || math.IsNaN(float64(d)) {
		fmt.Fprintf(s, fmt.FormatString(s, verb), float64(d))
		return
	}
	precision, ok := s.Precision()
	if !ok {
		precision = 6
	}
	pad(s, Decimal(strconv.FormatFloat(float64(d), 'f', precision, 64)))
}

// pad writes text with spaces up to the width of its verb.
func pad(s fmt.State, text string) {
	width, _ := s.Width()
	padding := strings.Repeat(" ", max(0, width-len(text)))
	if s.Flag('-') {
		text, padding = text+padding, ""
	}
	_, _ = io.WriteString(s, padding+text)
}
