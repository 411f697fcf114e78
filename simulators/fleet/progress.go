package fleet

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/simulators/live"
)

// Counters are the counters of a run in progress.
type Counters struct {
	At        time.Time     `json:"at"`        // real time
	Simulated time.Time     `json:"simulated"` // simulated time
	Lag       time.Duration `json:"behind_ns"` // how far simulated time lags behind its pace, in real time

	Devices  int `json:"devices"`
	Online   int `json:"online"`
	Offline  int `json:"offline"`
	Buffered int `json:"buffered"` // readings made but not acknowledged

	Requests       int64   `json:"requests"`
	RequestsPerSec float64 `json:"requests_per_second"`
	Stored         int64   `json:"stored"`
	Duplicate      int64   `json:"duplicate"`
	Rejected       int64   `json:"rejected"`
	Errors         int64   `json:"errors"` // requests that failed and were retried

	ReadBack int `json:"read_back"` // devices whose readings were read back and compared at the end of the run
}

// report passes the counters to Config.Progress.
func (r *run) report(now time.Time) {
	if r.cfg.Progress != nil {
		r.cfg.Progress(r.counters(now))
	}
}

func (r *run) counters(now time.Time) Counters {
	c := Counters{
		At: now, Simulated: r.cfg.Start.Add(r.now), Lag: r.lag(now), Devices: len(r.devices),
		Requests: r.sender.retrier.Requests.Load(), Errors: r.sender.retrier.Errors.Load(),
		ReadBack: r.readBackDone, Stored: r.tally.Stored, Duplicate: r.tally.Duplicate, Rejected: r.tally.Rejected,
	}
	c.RequestsPerSec = r.rate.Update(now, c.Requests)
	for _, d := range r.devices {
		c.Buffered += len(d.buffer)
		switch {
		case d.boot != nil && d.offline:
			c.Offline++
		case d.boot != nil:
			c.Online++
		}
	}
	return c
}

// lag returns how late the next event is.
func (r *run) lag(now time.Time) time.Duration {
	if r.draining || r.unpaced() {
		return 0
	}
	return max(0, -r.clock.Wait(r.schedule[0].at, now))
}

// Line formats the counters in one line, the most important first: a terminal cuts off what does not fit. The time is
// that of the devices, which is not the clock of the database.
func (c Counters) Line() string {
	parts := []string{thousands.Sprintf("%d errors", c.Errors)}
	if c.Rejected > 0 {
		parts = append(parts, thousands.Sprintf("%d rejected", c.Rejected))
	}
	if c.Lag > time.Second {
		parts = append(parts, fmt.Sprintf("%v behind", c.Lag.Round(time.Second)))
	}
	if c.ReadBack > 0 {
		parts = append(parts, thousands.Sprintf("%d of %d devices read back", c.ReadBack, c.Devices))
	}
	parts = append(parts,
		thousands.Sprintf("%.1f requests/s", c.RequestsPerSec),
		thousands.Sprintf("%d stored", c.Stored),
		"devices at "+c.Simulated.UTC().Format("2006-01-02 15:04"),
		thousands.Sprintf("%d buffered", c.Buffered),
		thousands.Sprintf("%d offline", c.Offline),
		thousands.Sprintf("%d duplicates", c.Duplicate),
	)
	return strings.Join(parts, "  ")
}

// ShowProgress returns a Progress function that keeps one line on w up to date, and a function that ends the line.
// On a terminal the line is rewritten in place; elsewhere a new one is printed every ten seconds.
func ShowProgress(w io.Writer) (progress func(Counters), done func()) {
	line := live.New(w)
	return func(c Counters) { line.Set(c.Line(), c.At) }, line.Done
}
