package page

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// theme is the colours of a chart.
type theme struct {
	name                   string
	background, text, grid string
	series                 []string
}

func themes() []theme {
	return []theme{
		{"light", "#ffffff", "#24292f", "#d8dee4", []string{"#0969da", "#bc4c00", "#1a7f37", "#8250df", "#6e7781"}},
		{"dark", "#0d1117", "#e6edf3", "#30363d", []string{"#58a6ff", "#f0883e", "#3fb950", "#bc8cff", "#8b949e"}},
	}
}

func (t theme) colour(i int) string { return t.series[i%len(t.series)] }

// drawing is an SVG image in the making. Lengths are in pixels.
type drawing struct {
	theme
	b strings.Builder
}

const (
	width      = 820.0
	margin     = 20.0
	fontSize   = 13.0
	lineHeight = 20.0
	digitWidth = 7.5 // of the font, roughly
)

func newDrawing(t theme, height float64, title string) *drawing {
	d := &drawing{theme: t}
	fmt.Fprintf(&d.b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %.0f" width="%g" height="%.0f" role="img" `+
		"font-family=\"system-ui, sans-serif\" font-size=\"%g\">\n<title>%s</title>\n", width, height, width, height,
		fontSize, html.EscapeString(title))
	fmt.Fprintf(&d.b, "<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n", t.background)
	d.text(margin, margin+fontSize, "start", title, true)
	return d
}

func (d *drawing) text(x, y float64, anchor, s string, bold bool) {
	weight := ""
	if bold {
		weight = ` font-weight="600"`
	}
	fmt.Fprintf(&d.b, "<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\" text-anchor=\"%s\"%s>%s</text>\n", x, y, d.theme.text, anchor,
		weight, html.EscapeString(s))
}

func (d *drawing) line(x1, y1, x2, y2 float64) {
	fmt.Fprintf(&d.b, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", x1, y1, x2, y2, d.grid)
}

func (d *drawing) bar(x, y, w, h float64, colour string) {
	fmt.Fprintf(&d.b, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\" fill=\"%s\"/>\n", x, y, w, h,
		colour)
}

// legend names the series below the title.
func (d *drawing) legend(names []string) {
	x, y := margin, margin+fontSize+lineHeight
	for i, name := range names {
		d.bar(x, y-10, 10, 10, d.colour(i))
		d.text(x+15, y, "start", name, false)
		x += 35 + digitWidth*float64(len(name))
	}
}

func (d *drawing) String() string { return d.b.String() + "</svg>\n" }

// steps returns the numbers 1, 2 and 5 times a power of ten within limits.
func steps(from, to float64) (all []float64) {
	for power := math.Pow(10, math.Floor(math.Log10(from))); power <= to; power *= 10 {
		for _, n := range []float64{1, 2, 5} {
			if v := n * power; v >= from && v <= to {
				all = append(all, v)
			}
		}
	}
	return all
}

// short formats a number with two or three significant digits, and k or M for thousands and millions.
func short(v float64) string {
	switch {
	case v >= 999_500:
		return digits(v/1e6) + "M"
	case v >= 9_995:
		return digits(v/1e3) + "k"
	default:
		return digits(v)
	}
}

func digits(v float64) string {
	if v >= 100 {
		return strconv.FormatFloat(math.Round(v), 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}
