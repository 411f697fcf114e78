// Package live shows one line of changing text: rewritten in place on a terminal, and printed from time to time
// elsewhere.
package live

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"
)

// minInterval is the minimum time between two lines in a log, where each one stays.
const minInterval = 10 * time.Second

// Line is a changing line of text. It is safe for concurrent use.
type Line struct {
	mu       sync.Mutex
	w        io.Writer
	terminal bool
	width    func() int
	printed  time.Time
	text     string
	dirty    bool
}

// New returns a line on w. It detects a terminal if w is an *os.File.
func New(w io.Writer) *Line {
	l := &Line{w: w, width: func() int { return 0 }}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		l.terminal = true
		l.width = func() int { n, _, _ := term.GetSize(int(f.Fd())); return n }
	}
	return l
}

// Set shows the text: on a terminal at once, in a log at most every ten seconds.
func (l *Line) Set(text string, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text, l.dirty = text, true
	switch {
	case l.terminal:
		fmt.Fprintf(l.w, "\r\x1b[K%s", truncate(text, l.width()))
	case now.Sub(l.printed) >= minInterval:
		l.printed, l.dirty = now, false
		fmt.Fprintln(l.w, text)
	}
}

// Print prints lines that stay, above the changing line.
func (l *Line) Print(lines string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines = strings.TrimSuffix(lines, "\n") + "\n"
	if !l.terminal {
		fmt.Fprint(l.w, lines)
		return
	}
	fmt.Fprintf(l.w, "\r\x1b[K%s%s", lines, truncate(l.text, l.width()))
}

// Clear removes the line from a terminal, so that other output can take its place, until it is set again.
func (l *Line) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.terminal && l.text != "" {
		fmt.Fprint(l.w, "\r\x1b[K")
	}
}

// Done ends the line, so that further output starts on a new line; the last text is always shown.
func (l *Line) Done() {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.terminal && l.text != "":
		fmt.Fprintln(l.w)
	case l.dirty:
		fmt.Fprintln(l.w, l.text)
	}
	l.text, l.dirty = "", false
}

// truncate shortens a line so that it does not wrap, because a wrapped line cannot be rewritten in place.
func truncate(text string, width int) string {
	runes := []rune(text)
	if width <= 0 || len(runes) < width {
		return text
	}
	return string(runes[:width-1])
}
