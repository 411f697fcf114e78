package page

import (
	"fmt"
	"math"
	"strings"
)

// lineSeries is a line: its points have an x on a logarithmic axis.
type lineSeries struct {
	name   string
	points []point
}

type point struct{ x, y float64 }

const (
	plotHeight = 240.0
	axisWidth  = 60.0
)

// drawLines draws lines over a logarithmic x axis; the y axis begins at 0.
func drawLines(t theme, title, xUnit, yUnit string, all []lineSeries) string {
	low, high, most := math.Inf(1), math.Inf(-1), 0.0
	var names []string
	for _, s := range all {
		names = append(names, s.name)
		for _, p := range s.points {
			low, high, most = min(low, p.x), max(high, p.x), max(most, p.y)
		}
	}
	height := chartTop + plotHeight + axisHeight + margin
	d := newDrawing(t, height, title+", "+yUnit)
	d.legend(names)
	left, right, bottom := margin+axisWidth, width-margin-valueWidth, chartTop+plotHeight
	top, step := axis(most)
	x := func(v float64) float64 { return left + (right-left)*math.Log(v/low)/max(math.Log(high/low), 1e-9) }
	y := func(v float64) float64 { return bottom - plotHeight*v/top }
	for v := 0.0; v <= top*1.001; v += step {
		d.line(left, y(v), right, y(v))
		d.text(left-8, y(v)+fontSize/3, "end", short(v), false)
	}
	for v := math.Pow(10, math.Ceil(math.Log10(low)-1e-9)); v <= high*1.001; v *= 10 {
		d.text(x(v), bottom+lineHeight, "middle", short(v), false)
	}
	d.text(right, bottom+2*lineHeight, "end", xUnit, false)
	for i, s := range all {
		d.series(i, s, x, y)
	}
	return d.String()
}

// series draws one line with a mark at each point, and the value at the last.
func (d *drawing) series(i int, s lineSeries, x, y func(float64) float64) {
	var path []string
	for _, p := range s.points {
		path = append(path, fmt.Sprintf("%.1f,%.1f", x(p.x), y(p.y)))
		fmt.Fprintf(&d.b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>\n", x(p.x), y(p.y), d.colour(i))
	}
	fmt.Fprintf(&d.b, "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n", strings.Join(path, " "),
		d.colour(i))
	if n := len(s.points); n > 0 {
		d.text(x(s.points[n-1].x)+8, y(s.points[n-1].y)+fontSize/3, "start", digits(s.points[n-1].y), false)
	}
}

// axis returns the end of an axis that begins at 0 and has the value most on it, and the distance of its marks.
func axis(most float64) (end, step float64) {
	step = 1
	for _, s := range steps(max(most, 1e-9)/10, max(most, 1e-9)) {
		if most/s <= 6 {
			step = s
			break
		}
	}
	return math.Ceil(most/step) * step, step
}
