package page

import "math"

// barGroup is the bars of one label, a value per series; 0 is no value.
type barGroup struct {
	label  string
	values []float64
}

const (
	barHeight  = 13.0
	barGap     = 2.0
	groupGap   = 12.0
	labelWidth = 130.0
	valueWidth = 70.0
	chartTop   = margin + fontSize + 2*lineHeight + 10
	axisHeight = 2 * lineHeight
)

// drawBars draws horizontal bars on a logarithmic axis, from 1 to the right, and to the left for values below 1.
func drawBars(t theme, title, unit string, series []string, groups []barGroup) string {
	height, least, most := chartTop+axisHeight+margin, 1.0, 2.0
	for _, g := range groups {
		height += g.height() + groupGap
		for _, v := range g.values {
			most = max(most, v)
			if v > 0 {
				least = min(least, v)
			}
		}
	}
	d := newDrawing(t, height, title)
	d.legend(series)
	left, right := margin+labelWidth, width-margin-valueWidth
	at := func(v float64) float64 { return left + (right-left)*math.Log(v/least)/math.Log(most/least) }
	bottom := height - margin - axisHeight
	marks := steps(least, most)
	for i, v := range marks {
		if len(marks) > 12 && math.Mod(math.Log10(v), 1) != 0 {
			continue // only powers of ten
		}
		d.line(at(v), chartTop, at(v), bottom)
		if i == 0 || at(v)-at(marks[i-1]) > 3*digitWidth || len(marks) > 12 {
			d.text(at(v), bottom+lineHeight, "middle", short(v), false)
		}
	}
	d.text(width-margin, bottom+2*lineHeight, "end", unit, false)
	y := chartTop + groupGap/2
	for _, g := range groups {
		d.text(left-8, y+g.height()/2+fontSize/3, "end", g.label, false)
		for i, v := range g.values {
			if v == 0 {
				continue
			}
			d.bar(at(min(v, 1)), y, max(math.Abs(at(v)-at(1)), 1), barHeight, d.colour(i))
			d.text(at(max(v, 1))+6, y+barHeight-2, "start", digits(v)+"×", false)
			y += barHeight + barGap
		}
		y += groupGap
	}
	return d.String()
}

// height is that of the group's bars.
func (g barGroup) height() (h float64) {
	for _, v := range g.values {
		if v > 0 {
			h += barHeight + barGap
		}
	}
	return h
}
