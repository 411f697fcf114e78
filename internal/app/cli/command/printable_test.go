package command

import (
	"strings"
	"testing"
)

func TestPrintable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                        "",
		"orders\t7\n":             "orders\t7\n",
		"É und 東京 ✕":              "É und 東京 ✕",
		"\x1b]0;title\x07":        `\u001b]0;title\u0007`,
		"a\rb\x7f":                `a\u000db\u007f`,
		"\u009b2J":                `\u009b2J`,
		"abc\u202etxt.exe\u2066!": `abc\u202etxt.exe\u2066!`,
		"cut \xe2\x82":            "cut \xe2\x82",
	} {
		var out strings.Builder
		if n, err := (printable{w: &out}).Write([]byte(text)); n != len(text) || err != nil || out.String() != want {
			t.Errorf("%q: %q, %d %v", text, out.String(), n, err)
		}
	}
}
