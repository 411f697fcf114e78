package builtin

import (
	"regexp"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// maxPattern is the longest pattern in bytes that REGEXMATCH compiles: a choice of ours.
const maxPattern = 16 << 10

// regexMatch is REGEXMATCH. The service uses PCRE, this RE2, whose time is linear in the text. What RE2 lacks, look-around
// (?=…) and back references \1 among it, makes the result undefined, as an invalid pattern does on the service.
func regexMatch(_ *Env, args []doc.Value) doc.Value {
	if !all(doc.Text, args...) || len(args[1].Str()) > maxPattern {
		return undefined
	}
	pattern, flags := args[1].Str(), ""
	if len(args) == 3 {
		flags = args[2].Str()
	}
	if strings.Trim(flags, "msix") != "" {
		return undefined
	}
	if strings.Contains(flags, "x") {
		pattern = withoutSpace(pattern)
	}
	if flags = strings.ReplaceAll(flags, "x", ""); flags != "" {
		pattern = "(?" + flags + ")" + pattern
	}
	compiled, err := regexp.Compile(pattern)
	if err != nil {
		return undefined
	}
	return doc.Bool(compiled.MatchString(args[0].Str()))
}

// withoutSpace is a pattern in PCRE's extended form: outside of classes white space counts only behind a backslash, and
// from # to the line's end is a comment.
func withoutSpace(pattern string) string {
	var out strings.Builder
	class, comment := false, false
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case comment:
			comment = c != '\n'
			continue
		case c == '\\' && i+1 < len(pattern):
			out.WriteByte(c)
			i++
			c = pattern[i]
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '#':
			comment = true
			continue
		case strings.IndexByte(" \t\n\v\f\r", c) >= 0:
			continue
		}
		out.WriteByte(c)
	}
	return out.String()
}
