package loadtest

import (
	"encoding/json"
	"io"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/simulators/live"
)

// Progress is the current state of a run.
type Progress struct {
	At        time.Time     `json:"at"`
	Profile   string        `json:"profile"`
	Phase     string        `json:"phase"`      // Preparing or Attacking
	Share     float64       `json:"share"`      // of the phase that is done, 0 to 1
	Elapsed   time.Duration `json:"elapsed_ns"` // time since the attack began
	Rate      float64       `json:"rate"`       // responses per second, recently
	P50       float64       `json:"p50"`        // milliseconds, of all requests so far
	P90       float64       `json:"p90"`
	P99       float64       `json:"p99"`
	Requests  int64         `json:"requests"`
	Errors    int64         `json:"errors"`
	Throttled int64         `json:"throttled"` // attempts of database clients, which repeat most of them
	// Series is the points of the series over time that have changed since the previous progress. A late response
	// changes the point of the time at which its request was sent.
	Series []result.Slot `json:"series,omitempty"`
}

// The phases of a run.
const (
	Preparing = "preparing"
	Attacking = "attacking"
)

// Line returns the progress as one line for a terminal of 80 columns.
func (p Progress) Line() string {
	const width = 12
	full := min(max(int(p.Share*width), 0), width)
	bar := strings.Repeat("█", full) + strings.Repeat("░", width-full)
	text := thousands.Sprintf("%-14s %s %3.0f%%  ", p.Profile, bar, 100*min(p.Share, 1))
	if p.Phase != Attacking {
		return text + p.Phase
	}
	return text + thousands.Sprintf("%d errors  %.0f requests/s  p99 %.1f ms  %v", p.Errors, p.Rate, p.P99,
		p.Elapsed.Round(time.Second))
}

// ShowProgress returns a Progress function that keeps one line on w up to date, and a function that ends the line.
// On a terminal the line is rewritten in place; elsewhere a new one is printed every ten seconds.
func ShowProgress(w io.Writer) (progress func(Progress), done func()) {
	line := live.New(w)
	return func(p Progress) { line.Set(p.Line(), p.At) }, line.Done
}

// WriteProgress returns a Progress function that writes each progress to w as a line of JSON.
func WriteProgress(w io.Writer) func(Progress) {
	encoder := json.NewEncoder(w)
	return func(p Progress) { _ = encoder.Encode(p) } // fails only if nobody reads w
}
