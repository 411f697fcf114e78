package phones

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// expectedPush is the expected result of a push for one phone.
type expectedPush struct {
	phone    *phone
	racing   bool   // the phone acts at the same time, so that either result is correct
	listed   bool   // the backend sends to it
	received bool   // the app receives it
	outcome  string // the result that the backend reports
}

// Results of a push to one device, as named in the API.
const (
	outcomeSent        = "sent"
	outcomeDeactivated = "deactivated"
)

// expectPushes returns the expected results of a push at this time, before anything happens at this time.
func (u *user) expectPushes(acting map[int]Event) []expectedPush {
	now := u.run.now()
	var all []expectedPush
	for n, p := range u.phones {
		_, acts := acting[n]
		a := expectedPush{phone: p, racing: acts, listed: p.device.receivesPushes(now), outcome: outcomeSent}
		a.received = a.listed && p.reachable()
		if a.listed && !a.received && p.reportedTokens[p.device.Token] {
			a.outcome = outcomeDeactivated
		}
		all = append(all, a)
	}
	return all
}

// sentPush is a push that was sent: the phones that must have received it, and those that may have.
type sentPush struct {
	required, allowed map[string]bool // by phone
	received          map[string]int
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
func (u *user) push(ctx context.Context, expected []expectedPush) error {
	u.jobs++
	id := fmt.Sprintf("%s-job%d", u.id, u.jobs)
	in := map[string]any{"title": "Your photo is ready", "body": "Open it in the app",
		"data": map[string]string{dataKey: id}}
	var out report
	u.run.ledger.CountAction(actionJob)
	from := u.run.now()
	call := sim.Call{Method: http.MethodPost, Path: "/devicetoken/users/" + u.id + "/push", In: in, Out: &out, Once: true}
	if _, err := u.run.env.Admin().Call(ctx, call); err != nil {
		return err
	}
	t := sentPush{required: map[string]bool{}, allowed: map[string]bool{}, received: map[string]int{}}
	outcomes := map[string]string{}
	for _, d := range out.Devices {
		outcomes[d.DeviceID] = d.Outcome
	}
	for _, a := range expected {
		switch {
		case a.racing:
			t.allowed[a.phone.id] = true
		case a.received:
			t.required[a.phone.id] = true
		}
		if !a.racing {
			u.checkOutcome(a, outcomes[a.phone.id], span{from, u.run.now()})
		}
		delete(outcomes, a.phone.id)
	}
	for id := range outcomes {
		u.run.ledger.ReportFault(sim.Unexpected, "device %s of %s was sent a push", id, u.id)
	}
	u.run.recordPush(id, t)
	return nil
}

// dataKey is the field of a push's data that identifies the push.
const dataKey = "push"

// checkOutcome compares the result that the backend reports for one phone with the expected one.
func (u *user) checkOutcome(a expectedPush, outcome string, when span) {
	want := ""
	if a.listed {
		want = a.outcome
	}
	if outcome != want {
		u.run.ledger.ReportFault(sim.Changed, "the push to device %s: the backend reports %q, want %q",
			a.phone.id, outcome, want)
	}
	switch want {
	case outcomeSent:
		u.run.ledger.CountAction(actionSent)
		if !a.received { // Expo learns this from Apple or Google, and reports it from now on
			a.phone.reportedTokens[a.phone.device.Token] = true
		}
	case outcomeDeactivated:
		u.run.ledger.CountAction(actionDeactivated)
		changed := *a.phone.device
		changed.IsActive, changed.UpdatedAt = false, when.from
		if !u.run.env.Clock.ControlsBackend() {
			changed.UpdatedAt = time.Time{} // some second of this time: it is not compared
		}
		a.phone.device = &changed
	}
}
