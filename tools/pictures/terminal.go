package main

import (
	"bytes"
	"fmt"
	"html"
	"strings"
)

// theme has the colours of a terminal.
type theme struct{ background, border, text, quiet, good string }

var (
	light = theme{"#ffffff", "#d0d7de", "#1f2328", "#59636e", "#116329"}
	dark  = theme{"#0d1117", "#3d444d", "#e6edf3", "#9198a1", "#3fb950"}
)

// The size of letters and of the space around them, in pixels.
const (
	letter = 13
	column = 7.83 // of the widest of the fonts
	row    = 19
	margin = 18
)

// terminal draws the lines of a command as an animated SVG: they appear in the order in which they were printed. A
// viewer without animations, or a person who prefers none, sees all of them.
func terminal(lines []string, c theme) []byte {
	lines = append([]string{"$ tabletop up --speed 60"}, lines...)
	widest := 0
	for _, line := range lines {
		widest = max(widest, len([]rune(line)))
	}
	width, height := int(float64(widest)*column)+2*margin, len(lines)*row+2*margin
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="tabletop up in a terminal">
<style>
text{font:%dpx ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;fill:%s}
.quiet{fill:%s}
.good{fill:%s;font-weight:600}
@keyframes print{from{opacity:0}to{opacity:1}}
@media (prefers-reduced-motion:no-preference){text{animation:print .2s backwards}}
</style>
<rect x=".5" y=".5" width="%d" height="%d" rx="8" fill="%s" stroke="%s"/>
`, width, height, width, height, letter, c.text, c.quiet, c.good, width-1, height-1, c.background, c.border)
	at := 0.0 // when the line is printed, in seconds
	for i, line := range lines {
		at += pause(line)
		if strings.TrimSpace(line) == "" {
			continue
		}
		fmt.Fprintf(&b, `<text x="%d" y="%d" class="%s" style="animation-delay:%.1fs">%s</text>`+"\n",
			margin, margin+row*i+letter, class(line), at, html.EscapeString(line))
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// pause is the time before a line is printed, in seconds.
func pause(line string) float64 {
	switch {
	case strings.HasPrefix(line, "Tabletop is running"), strings.HasPrefix(line, "Stopping"):
		return 1
	case strings.Contains(line, " requests/s "):
		return 2
	default:
		return 0.1
	}
}

func class(line string) string {
	switch {
	case strings.HasPrefix(line, "PASS"):
		return "good"
	case strings.HasPrefix(line, "$ "), strings.HasPrefix(line, "  "):
		return ""
	default:
		return "quiet"
	}
}
