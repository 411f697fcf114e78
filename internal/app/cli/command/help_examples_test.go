package command

import "testing"

func TestWrapExamples(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"  tabletop up":   "  tabletop up",
		"  a b --c d --e": "  a b --c d --e",
		"  a\n  tabletop query --key 'a b = 1' --desc": "  a\n  tabletop query \\\n    --key 'a b = 1' \\\n    --desc",
		"  tabletop query --key a 'SELECT -1'":         "  tabletop query \\\n    --key a \\\n    'SELECT -1'",
		"  a --one two \\\n    --three && b four":      "  a --one two \\\n    --three \\\n    && b four",
		"  a \\\n    --b":                              "  a --b",
	} {
		if got := wrapExamples(text, 20); got != want {
			t.Errorf("%s\ngot  %q\nwant %q", text, got, want)
		}
	}
}
