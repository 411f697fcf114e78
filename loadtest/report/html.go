package report

import (
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

//go:embed assets
var assets embed.FS

// HTML writes the reports as one HTML page that works without a network.
func HTML(w io.Writer, reports []*result.Report) error {
	t, err := template.New("page").Funcs(functions()).ParseFS(assets, "assets/*.tmpl")
	if err != nil {
		return err
	}
	return t.ExecuteTemplate(w, "page.tmpl", struct {
		Reports []*result.Report
		Matrix  matrix
	}{reports, newMatrix(reports)})
}

// functions returns the functions that the templates call.
func functions() template.FuncMap {
	return template.FuncMap{
		"css": func(name string) (template.CSS, error) {
			b, err := assets.ReadFile("assets/" + name)
			return template.CSS(b), err
		},
		"js": func(name string) (template.JS, error) {
			b, err := assets.ReadFile("assets/" + name)
			return template.JS(b), err
		},
		"population": population,
		"calls": func(r *result.Report) bool {
			return slices.ContainsFunc(r.Kinds, func(k result.KindStats) bool { return len(k.Calls) > 0 })
		},
		"plots": func(r *result.Report) (string, error) { b, err := json.Marshal(newPlots(r)); return string(b), err },
		"failed": func(r *result.Report) bool {
			return slices.ContainsFunc(r.Verdicts, func(v result.Verdict) bool { return v.State == result.Fail })
		},
		"place":   resourceName,
		"seconds": seconds,
		"count":   func(m matrix, s string) int { return m.count(result.State(s)) },
		"class":   func(s result.State) string { return strings.ReplaceAll(string(s), " ", "-") },
		"figure":  figure,
		"percent": func(v float64) string { return fmt.Sprintf("%.2f%%", 100*v) },
		"listed":  failedLimits,
		"number":  func(i int) int { return i + 1 },
		"lasts":   func(i int, r *result.Report) string { return time.Duration(r.Profile.Stages[i].Duration).String() },
	}
}

// population describes the population of a profile, such as "devices 5,000, keys 100".
func population(p profile.Profile) string {
	var text []string
	for _, name := range slices.Sorted(maps.Keys(p.Population)) {
		if n := p.Population[name]; n > 0 {
			text = append(text, strings.ReplaceAll(name, "_", " ")+" "+figure(n))
		}
	}
	return strings.Join(text, ", ")
}

// figure formats a number with commas between thousands and only significant digits.
func figure(v any) string {
	var f float64
	switch v := v.(type) {
	case int:
		f = float64(v)
	case int64:
		f = float64(v)
	case float64:
		f = v
	}
	text := fmt.Sprintf("%.2f", f)
	switch {
	case f == math.Trunc(f) || f >= 1000:
		text = fmt.Sprintf("%.0f", f)
	case f >= 10:
		text = fmt.Sprintf("%.1f", f)
	}
	whole, rest, _ := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if rest != "" {
		return whole + "." + rest
	}
	return whole
}

// plots is the data that the page's script draws, as columns for uPlot.
type plots struct {
	Time     []float64 `json:"time"`
	Planned  []float64 `json:"planned"`
	Sent     []float64 `json:"sent"`
	Errors   []float64 `json:"errors"`
	Readings []float64 `json:"readings,omitempty"`
	P50      []any     `json:"p50"` // null if nothing was sent
	P99      []any     `json:"p99"`
	Max      []any     `json:"max"`
	Spectrum [2][]any  `json:"spectrum"` // 1/(1-p) and milliseconds
}

func newPlots(r *result.Report) plots {
	var p plots
	pace := profile.Pacer(r.Profile.Stages)
	for _, s := range r.Series {
		p.Time = append(p.Time, s.At)
		p.Planned = append(p.Planned, pace.Rate(profile.Seconds(s.At)))
		p.Sent = append(p.Sent, s.Sent)
		p.Errors = append(p.Errors, s.Errors)
		if r.Readings != nil && r.Readings.Stored > 0 {
			p.Readings = append(p.Readings, s.Readings)
		}
		p.P50, p.P99, p.Max = append(p.P50, nonZero(s.P50)), append(p.P99, nonZero(s.P99)), append(p.Max, nonZero(s.Max))
	}
	for _, q := range r.Spectrum {
		p.Spectrum[0] = append(p.Spectrum[0], 100/(100-q.Percent))
		p.Spectrum[1] = append(p.Spectrum[1], nonZero(q.Millis))
	}
	return p
}

// nonZero returns nil for a latency of 0, which no request has.
func nonZero(v float64) any {
	if v == 0 {
		return nil
	}
	return v
}
