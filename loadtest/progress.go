package loadtest

import (
	"io"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/simulators/live"
)

// Progress is the current state of a run.
type Progress struct {
	At       time.Time
	Profile  string
	Phase    string // Preparing or Attacking
	Share    float64
	Elapsed  time.Duration // time since the attack began
	Rate     float64       // responses per second, recently
	P99      float64       // milliseconds, of all requests so far
	Requests int64
	Errors   int64
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
