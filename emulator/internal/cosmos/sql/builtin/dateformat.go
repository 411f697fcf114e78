package builtin

import (
	"fmt"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// dateTimeFormat is DATETIMEFORMAT. Its page shows examples but no list of specifiers. They are those of .NET's custom
// format strings in the invariant culture, including its escapes.
func dateTimeFormat(_ *Env, args []doc.Value) doc.Value {
	t, ok := parseDateTime(args[0])
	if !ok || args[1].Kind() != doc.Text {
		return undefined
	}
	format, at := args[1].Str(), timeOf(t)
	var out strings.Builder
	for i := 0; i < len(format); {
		c := format[i]
		if end := quoted(format, i); end > i {
			out.WriteString(strings.Trim(format[i:end], `'"\`))
			i = end
			continue
		}
		n := 1
		for i+n < len(format) && format[i+n] == c {
			n++
		}
		out.WriteString(formatField(at, c, n))
		if i += n; out.Len() > maxText {
			return undefined
		}
	}
	return doc.String(out.String())
}

// quoted returns the end of an escaped character or a quoted string that begins at i, or i if there is none.
func quoted(format string, i int) int {
	switch c := format[i]; c {
	case '\\':
		return min(i+2, len(format))
	case '\'', '"':
		if end := strings.IndexByte(format[i+1:], c); end >= 0 {
			return i + end + 2
		}
	}
	return i
}

// formatField returns what n repetitions of the letter c stand for. Other characters stand for themselves.
func formatField(t time.Time, c byte, n int) string {
	switch c {
	case 'y':
		return padded(t.Year(), n, 2)
	case 'M':
		return named(n, int(t.Month()), t.Month().String())
	case 'd':
		return named(n, t.Day(), t.Weekday().String())
	case 'H':
		return padded(t.Hour(), min(n, 2), 0)
	case 'h':
		return padded((t.Hour()+11)%12+1, min(n, 2), 0)
	case 'm':
		return padded(t.Minute(), min(n, 2), 0)
	case 's':
		return padded(t.Second(), min(n, 2), 0)
	case 'f', 'F':
		return fraction(t, c, n)
	case 't':
		return t.Format("PM")[:min(n, 2)]
	}
	return strings.Repeat(string([]byte{c}), n)
}

// padded returns a number with at least width digits, or only its last two digits if width is at most cut.
func padded(n, width, cut int) string {
	if width <= cut {
		n %= 100
	}
	return fmt.Sprintf("%0*d", min(width, 9), n)
}

// named returns a number of one or two digits, the first three letters of a name, or the name.
func named(n, value int, name string) string {
	switch {
	case n < 3:
		return padded(value, n, 0)
	case n == 3:
		return name[:3]
	}
	return name
}

// fraction returns n digits of the fraction of a second; for F, without trailing zeros.
func fraction(t time.Time, c byte, n int) string {
	digits := fmt.Sprintf("%07d", t.Nanosecond()/int(tick))[:min(n, fractionDigits)]
	if c == 'F' {
		return strings.TrimRight(digits, "0")
	}
	return digits
}
