package command

import (
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"
)

// printable is a writer for terminals. It escapes control characters, so that names and keys in the data cannot move
// the cursor, hide text or set the window title. It writes them as \u001b, which is the same string in JSON, and leaves
// line feeds and tabs as they are.
//
// With colours, verdicts are coloured.
type printable struct {
	w       io.Writer
	colours bool
}

// Write writes p with its control characters escaped. It buffers nothing: a character split by the end of p is written
// unchanged.
func (t printable) Write(p []byte) (int, error) {
	text := escapeControls(p)
	if t.colours {
		text = colourVerdicts(text)
	}
	if _, err := t.w.Write(text); err != nil {
		return 0, err
	}
	return len(p), nil
}

// escapeControls returns text with its control characters escaped. It returns text itself if there is nothing to
// escape.
func escapeControls(text []byte) []byte {
	var out []byte
	copied := 0
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[i:])
		}
		if isUnsafe(r) {
			out = fmt.Appendf(append(out, text[copied:i]...), "\\u%04x", r)
			copied = i + size
		}
		i += size
	}
	if copied == 0 {
		return text
	}
	return append(out, text[copied:]...)
}

// isUnsafe reports whether r can change how a terminal shows the text around it: control characters, and those that
// change the direction of writing.
func isUnsafe(r rune) bool {
	return r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}
