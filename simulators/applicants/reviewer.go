package applicants

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

const (
	reviewInterval = time.Hour      // interval between two rounds
	decisionTime   = 36 * time.Hour // until a case is decided, whenever it was opened
)

// reviewer makes one transition of every case in each round, in competition with the other reviewers. It is a
// sim.Actor.
type reviewer struct {
	sim      *simulation
	caller   *sim.Caller
	next     time.Duration
	openDays map[string]bool // with undecided cases
}

// Next returns the time of the next round, between 8:00 and 18:00.
func (r *reviewer) Next() (time.Duration, bool) {
	for hour := r.sim.clock.Start().Add(r.next).Hour(); hour < 8 || hour >= 18; hour = r.sim.clock.Start().Add(
		r.next).Hour() {
		r.next += reviewInterval
	}
	return r.next, r.next <= r.sim.allDecided
}

// Act processes the cases of yesterday, of today, and of days with undecided cases.
func (r *reviewer) Act(ctx context.Context) error {
	now := r.sim.clock.Now()
	r.next += reviewInterval
	for _, at := range []time.Time{now, now.Add(-24 * time.Hour)} {
		r.openDays[at.Format("2006-01-02")] = true
	}
	for _, day := range slices.Sorted(maps.Keys(r.openDays)) {
		cases, err := readAll(ctx, r.caller, "/verification/review/cases", url.Values{"date": {day}}, "cases")
		if err != nil {
			return err
		}
		delete(r.openDays, day)
		for _, c := range cases {
			if err := r.advance(ctx, c, day); err != nil {
				return err
			}
		}
	}
	return nil
}

// reviewStatuses returns the statuses of a case from its submission to this verdict.
func reviewStatuses(v Verdict) []string {
	return []string{"submitted", "processing", "pending_review", "in_review", string(v)}
}

// advance makes a case's next transition, unless another reviewer has just made it: then the response is 409.
func (r *reviewer) advance(ctx context.Context, c object, day string) error {
	id, _ := c["verificationId"].(string)
	status, _ := c["status"].(string)
	verdict, known := r.sim.verdictOf(id)
	statuses := reviewStatuses(verdict)
	i := slices.Index(statuses, status)
	if !known || i < 0 || i == len(statuses)-1 {
		return nil
	}
	r.openDays[day] = true
	in := object{"to": statuses[i+1], "expectedStatus": status}
	if i+1 == len(statuses)-1 && verdict != Approved {
		in["reason"] = "document_unreadable"
	}
	_, err := r.caller.Call(ctx, sim.Call{Method: http.MethodPost, Path: "/verification/cases/" + id + "/transition",
		In: in})
	if sim.Status(err) == http.StatusConflict {
		return nil
	}
	return err
}
