package live

import (
	"strings"
	"testing"
	"time"
)

// TestPrintedLinesStayAboveTheLine checks that a terminal shows a printed line above the changing one, which fits.
func TestPrintedLinesStayAboveTheLine(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	l := &Line{w: &b, terminal: true, width: func() int { return 8 }}
	l.Set("1 of 2 scenarios", time.Unix(0, 0))
	l.Print("FAIL a\n")
	l.Clear()
	l.Done()
	const erase = "\r\x1b[K"
	if want := erase + "1 of 2 " + erase + "FAIL a\n1 of 2 " + erase + "\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
