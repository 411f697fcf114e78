package command

import (
	"io"
	"strings"
	"testing"
)

// TestVerdictsAreColoured checks which words a terminal shows in colour, and that nothing else changes.
func TestVerdictsAreColoured(t *testing.T) {
	t.Parallel()
	const green, red, end = "\x1b[32m", "\x1b[31m", "\x1b[0m"
	for text, want := range map[string]string{
		"PASS  limits: 1 passed\n":   green + "PASS" + end + "  limits: 1 passed\n",
		"Report x\n  FAIL  TL-L1\n":  "Report x\n  " + red + "FAIL" + end + "  TL-L1\n",
		"PASS: every reading":        green + "PASS" + end + ": every reading",
		"PASSWORD\n1 FAIL, FAILED\n": "PASSWORD\n1 FAIL, FAILED\n",
		"FAIL \x1b[2J":               red + "FAIL" + end + ` \u001b[2J`,
	} {
		var out strings.Builder
		w := printable{w: &out, colours: true}
		if n, err := io.WriteString(w, text); n != len(text) || err != nil || out.String() != want {
			t.Errorf("%q: %q, %d %v", text, out.String(), n, err)
		}
	}
}

// TestColoursAreOptional checks when a terminal has no colours, and that what is not a terminal has none.
func TestColoursAreOptional(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, value, system string
		want                bool
	}{
		{"TERM", "xterm", "linux", true}, {"NO_COLOR", "", "darwin", true}, {"NO_COLOR", "1", "linux", false},
		{"TERM", "dumb", "linux", false}, {"TERM", "xterm", "windows", false},
	} {
		env := func(name string) (string, bool) {
			if name != test.name {
				return "", false
			}
			return test.value, true
		}
		if got := wantsColours(env, test.system); got != test.want {
			t.Errorf("%+v: %t", test, got)
		}
	}
	if showsColours(&strings.Builder{}, func(string) (string, bool) { return "", false }) {
		t.Error("a text has colours")
	}
}
