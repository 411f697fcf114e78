package sim

import (
	"fmt"
	"io"
	"time"

	"github.com/tabletop-db/tabletop/simulators/live"
)

// Progress is the progress of a simulation.
type Progress struct {
	At        time.Time // real time
	Simulated time.Time // by the backend's clock
	Text      string    // anything else to show
}

// Line returns the progress in one line.
func (p Progress) Line() string {
	return fmt.Sprintf("simulated %s  %s", p.Simulated.UTC().Format("2006-01-02 15:04"), p.Text)
}

// ShowProgress returns a function that keeps one line on w up to date, and a function that ends the line. On a terminal
// the line is rewritten in place; elsewhere a new one is printed every ten seconds.
func ShowProgress(w io.Writer) (show func(Progress), done func()) {
	line := live.New(w)
	return func(p Progress) { line.Set(p.Line(), p.At) }, line.Done
}
