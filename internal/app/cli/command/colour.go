package command

import (
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// verdictWord matches a verdict at the start of a line or of a table's cell.
var verdictWord = lazyregexp.New(`(?m)^( *)(PASS|FAIL)\b`)

// colourVerdicts returns text with PASS in green and FAIL in red, which every terminal has and every theme shows.
func colourVerdicts(text []byte) []byte {
	return []byte(verdictWord.ReplaceAllStringFunc(string(text), func(match string) string {
		if spaces, failed := strings.CutSuffix(match, "FAIL"); failed {
			return spaces + "\x1b[31mFAIL\x1b[0m"
		}
		return strings.TrimSuffix(match, "PASS") + "\x1b[32mPASS\x1b[0m"
	}))
}

// showsColours reports whether a writer is a terminal whose user has not turned colours off with NO_COLOR
// (https://no-color.org).
func showsColours(w io.Writer, env func(string) (string, bool)) bool {
	file, _ := w.(*os.File)
	return isTerminal(file) && wantsColours(env, runtime.GOOS)
}

// wantsColours reports whether the environment allows colours. Older consoles of Windows do not interpret their codes.
func wantsColours(env func(string) (string, bool), system string) bool {
	off, _ := env("NO_COLOR")
	term, _ := env("TERM")
	return off == "" && term != "dumb" && system != "windows"
}
