package sim

import (
	"fmt"
	"io"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/simulators/live"
)

// Progress is the progress of a simulation.
type Progress struct {
	At         time.Time `json:"at"`         // real time
	Simulated  time.Time `json:"simulated"`  // by the backend's clock
	Simulation string    `json:"simulation"` // what is simulated, in a few words: "50 brewers"

	Requests       int64   `json:"requests"`
	RequestsPerSec float64 `json:"requests_per_second"`
	Errors         int64   `json:"errors"`         // requests that failed and were retried
	ResponsesLost  int64   `json:"responses_lost"` // responses that never reached their caller
}

// Line returns the progress in one line.
func (p Progress) Line() string {
	return fmt.Sprintf("simulated %s  %s", p.Simulated.UTC().Format("2006-01-02 15:04"),
		thousands.Sprintf("%s  %d requests  %.0f/s  %d failed  %d responses lost", p.Simulation, p.Requests,
			p.RequestsPerSec, p.Errors, p.ResponsesLost))
}

// ShowProgress returns a function that keeps one line on w up to date, and a function that ends the line. On a terminal
// the line is rewritten in place; elsewhere a new one is printed every ten seconds.
func ShowProgress(w io.Writer) (show func(Progress), done func()) {
	line := live.New(w)
	return func(p Progress) { line.Set(p.Line(), p.At) }, line.Done
}
