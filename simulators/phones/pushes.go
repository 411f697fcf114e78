package phones

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// aim is the expected result of a push for one phone.
type aim struct {
	phone   *phone
	acting  bool   // the phone acts at the same time, so that either result is correct
	listed  bool   // the backend sends to it
	arrives bool   // the app receives it
	outcome string // the result that the backend reports
}

// Results of a push to one device, as named in the API.
const (
	outcomeSent        = "sent"
	outcomeDeactivated = "deactivated"
)

// aim returns the expected results of a push at this time, before anything happens at this time.
func (u *user) aim(acting map[int]Event) []aim {
	now := u.run.now()
	var all []aim
	for n, p := range u.phones {
		_, acts := acting[n]
		a := aim{phone: p, acting: acts, listed: p.device.receives(now), outcome: outcomeSent}
		a.arrives = a.listed && p.alive()
		if a.listed && !a.arrives && p.noticed[p.device.Token] {
			a.outcome = outcomeDeactivated
		}
		all = append(all, a)
	}
	return all
}

// told is a push that was sent: the phones that must have received it, and those that may have.
type told struct {
	must, may map[string]bool // by phone
	came      map[string]int
}

// report is the backend's response to a push.
type report struct {
	Sent        int `json:"sent"`
	Failed      int `json:"failed"`
	Deactivated int `json:"deactivated"`
	Devices     []struct {
		DeviceID string `json:"deviceId"`
		Outcome  string `json:"outcome"`
		Reason   string `json:"reason"`
	} `json:"devices"`
}

// push notifies all devices of the user that a job is done (PE-P4).
func (u *user) push(ctx context.Context, aims []aim) error {
	u.jobs++
	id := fmt.Sprintf("%s-job%d", u.id, u.jobs)
	in := map[string]any{"title": "Your photo is ready", "body": "Open it in the app",
		"data": map[string]string{dataKey: id}}
	var out report
	u.run.ledger.Did(didJob)
	from := u.run.now()
	call := sim.Call{Method: http.MethodPost, Path: "/devicetoken/users/" + u.id + "/push", In: in, Out: &out, Once: true}
	if _, err := u.run.venue.Admin().Call(ctx, call); err != nil {
		return err
	}
	t := told{must: map[string]bool{}, may: map[string]bool{}, came: map[string]int{}}
	outcomes := map[string]string{}
	for _, d := range out.Devices {
		outcomes[d.DeviceID] = d.Outcome
	}
	for _, a := range aims {
		switch {
		case a.acting:
			t.may[a.phone.id] = true
		case a.arrives:
			t.must[a.phone.id] = true
		}
		if !a.acting {
			u.settle(a, outcomes[a.phone.id], span{from, u.run.now()})
		}
		delete(outcomes, a.phone.id)
	}
	for id := range outcomes {
		u.run.ledger.Fault(sim.Foreign, "device %s of %s was sent a push", id, u.id)
	}
	u.run.tell(id, t)
	return nil
}

// dataKey is the field of a push's data that identifies the push.
const dataKey = "push"

// settle compares the result that the backend reports for one phone with the expected one.
func (u *user) settle(a aim, outcome string, when span) {
	want := ""
	if a.listed {
		want = a.outcome
	}
	if outcome != want {
		u.run.ledger.Fault(sim.Changed, "the push to device %s: the backend reports %q, want %q", a.phone.id, outcome, want)
	}
	switch want {
	case outcomeSent:
		u.run.ledger.Did(didSent)
		if !a.arrives { // Expo learns this from Apple or Google, and reports it from now on
			a.phone.noticed[a.phone.device.Token] = true
		}
	case outcomeDeactivated:
		u.run.ledger.Did(didDeactivated)
		changed := *a.phone.device
		changed.IsActive, changed.UpdatedAt = false, when.from
		if !u.run.venue.Clock.Moves() {
			changed.UpdatedAt = time.Time{} // some second of this time: it is not compared
		}
		a.phone.device = &changed
	}
}
