package fleet

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// Result counts the actions of a run, and the results of reading everything back. Counts are of readings unless stated
// otherwise.
type Result struct {
	sim.Run
	Devices int     `json:"devices"` // of the whole fleet
	Speed   float64 `json:"speed"`   // 0 if the run did not wait

	Registrations int64 `json:"registrations"`     // registrations that got a response
	Reboots       int64 `json:"reboots"`           // including first boots
	Crashes       int64 `json:"crashes"`           // reboots that forgot the last acknowledgement
	Outages       int64 `json:"outages"`           // how often a device was cut off
	Undelivered   int64 `json:"undelivered"`       // still buffered when the run was interrupted
	Stopped       bool  `json:"stopped,omitempty"` // before its duration was over

	Made      int64 `json:"made"`
	Sent      int64 `json:"sent"`      // transmissions: a reading that is sent again counts again
	Stored    int64 `json:"stored"`    // acknowledged as stored, including in responses that were lost
	Duplicate int64 `json:"duplicate"` // acknowledged as duplicate
	Rejected  int64 `json:"rejected"`

	ReadBack    int64 `json:"read_back"` // this and everything below was read back through the API
	Matched     int64 `json:"matched"`   // found once, as it was made
	Lost        int64 `json:"lost"`
	StoredTwice int64 `json:"stored_twice"` // acknowledged as stored, or found, more than once
	Changed     int64 `json:"changed"`      // found with other content
	Unexpected  int64 `json:"foreign"`      // readings of these devices from an earlier run

	BrokenInvariants int `json:"broken_invariants,omitempty"`
}

// Simulator is the name of the simulator in its results.
const Simulator = "fleet"

func (r *run) result(wall time.Duration) Result {
	t := r.tally
	res := Result{
		Run: sim.Run{
			Simulator: Simulator, Shard: r.cfg.Shard, Settings: r.cfg.settings(), Seed: r.cfg.Seed,
			From: r.cfg.Start, To: r.cfg.Start.Add(r.now), WallSeconds: wall.Seconds(),
			Requests: r.sender.retrier.Requests.Load(), Errors: r.sender.retrier.Errors.Load(), ResponsesLost: t.ResponsesLost,
		},
		Devices: r.cfg.Devices, Speed: r.cfg.Speed, Registrations: t.Registrations, Reboots: t.Reboots, Crashes: t.Crashes,
		Outages: t.Outages, Made: t.Made, Sent: r.sender.sent.Load(), Stored: t.Stored, Duplicate: t.Duplicate,
		Rejected: t.Rejected, Stopped: r.stopped,
	}
	if r.unpaced() {
		res.Speed = 0 // JSON has no infinity
	}
	for _, d := range r.devices {
		res.Undelivered += int64(len(d.buffer))
	}
	for _, id := range t.storedTwice {
		res.StoredTwice++
		res.AddFault("acknowledged as stored twice: " + id)
	}
	for _, text := range t.rejections {
		res.AddFault("rejected: " + text)
	}
	return res
}

func (res *Result) add(f readBackResult) {
	res.ReadBack += f.read
	res.Matched += f.matched
	res.Lost += f.lost
	res.StoredTwice += f.duplicated
	res.Changed += f.changed
	res.Unexpected += f.unexpected
	for _, text := range f.faults {
		res.AddFault(text)
	}
}

// Err returns nil if readings were made, each exists once, as it was made, and no invariant is broken.
func (res Result) Err() error {
	switch {
	case !res.Reconciled:
		return errors.New(thousands.Sprintf("not reconciled: interrupted with %d readings undelivered", res.Undelivered))
	case res.Lost+res.StoredTwice+res.Changed+res.Rejected > 0:
		return errors.New(thousands.Sprintf("of %d readings, %d are lost, %d stored twice, %d changed, %d rejected: see the batch ids above",
			res.Made, res.Lost, res.StoredTwice, res.Changed, res.Rejected))
	case res.BrokenInvariants > 0:
		return fmt.Errorf("%d of %d invariants of the database are broken: see above", res.BrokenInvariants,
			res.Invariants+res.BrokenInvariants)
	case res.Matched != res.Made:
		return errors.New(thousands.Sprintf("the comparison is incomplete: it covers %d of %d readings", res.Matched, res.Made))
	case res.Made == 0 && !res.Stopped && res.Shard.Of <= 1: // the devices of a shard may have none yet
		return errors.New("no reading was made, so nothing was compared: simulate a longer time")
	}
	return nil
}

// WriteJSON writes the result as JSON.
func (res Result) WriteJSON(w io.Writer) error { return sim.WriteJSON(w, res) }

// WriteText writes the result as a short table.
func (res Result) WriteText(w io.Writer) error {
	fmt.Fprintln(w, res.Headline(thousands.Sprintf("%d devices", res.Devices)))
	t := sim.NewTable(w)
	t.Row(res.Made, "readings made")
	t.Row(res.Sent, "sent, including repeats")
	t.Row(res.Stored, "acknowledged as stored")
	t.Row(res.Duplicate, "acknowledged as duplicate")
	t.Row(res.Rejected, "rejected")
	t.Row(res.Requests, thousands.Sprintf("requests: %d failed, %d responses lost", res.Errors, res.ResponsesLost))
	t.Row(res.Outages, thousands.Sprintf("outages, %d boots, %d crashes", res.Reboots, res.Crashes))
	if res.Reconciled {
		t.Row(res.ReadBack, "read back")
		t.Row(res.Lost, "lost")
		t.Row(res.StoredTwice, "stored twice")
		t.Row(res.Changed, "changed")
		if res.Unexpected > 0 {
			t.Row(res.Unexpected, "from an earlier run")
		}
	}
	if res.Invariants+res.BrokenInvariants > 0 {
		t.Row(int64(res.Invariants), "invariants that hold")
	}
	passed := "every reading was stored exactly once and unchanged"
	if res.Made == 0 {
		passed = "no reading was made yet, so there was nothing to compare"
	}
	return t.Close(res.Faults, res.Err(), passed)
}
