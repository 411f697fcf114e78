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
	round    = time.Hour      // interval between two rounds
	deciding = 36 * time.Hour // until a case is decided, whenever it was opened
)

// reviewer makes one transition of every case in each round, in competition with the other reviewers. It is a
// sim.Actor.
type reviewer struct {
	office *office
	caller *sim.Caller
	next   time.Duration
	days   map[string]bool // with undecided cases
}

// Next returns the time of the next round, between 8:00 and 18:00.
func (r *reviewer) Next() (time.Duration, bool) {
	for hour := r.office.clock.Start().Add(r.next).Hour(); hour < 8 || hour >= 18; hour = r.office.clock.Start().Add(
		r.next).Hour() {
		r.next += round
	}
	return r.next, r.next <= r.office.decided
}

// Act processes the cases of yesterday, of today, and of days with undecided cases.
func (r *reviewer) Act(ctx context.Context) error {
	now := r.office.clock.Now()
	r.next += round
	for _, at := range []time.Time{now, now.Add(-24 * time.Hour)} {
		r.days[at.Format("2006-01-02")] = true
	}
	for _, day := range slices.Sorted(maps.Keys(r.days)) {
		cases, err := all(ctx, r.caller, "/verification/review/cases", url.Values{"date": {day}}, "cases")
		if err != nil {
			return err
		}
		delete(r.days, day)
		for _, c := range cases {
			if err := r.advance(ctx, c, day); err != nil {
				return err
			}
		}
	}
	return nil
}

// reviewing returns the statuses of a case from its submission to this verdict.
func reviewing(v Verdict) []string {
	return []string{"submitted", "processing", "pending_review", "in_review", string(v)}
}

// advance makes a case's next transition, unless another reviewer has just made it: then the response is 409.
func (r *reviewer) advance(ctx context.Context, c thing, day string) error {
	id, _ := c["verificationId"].(string)
	status, _ := c["status"].(string)
	verdict, ours := r.office.finds(id)
	way := reviewing(verdict)
	at := slices.Index(way, status)
	if !ours || at < 0 || at == len(way)-1 {
		return nil
	}
	r.days[day] = true
	in := thing{"to": way[at+1], "expectedStatus": status}
	if at+1 == len(way)-1 && verdict != Approved {
		in["reason"] = "document_unreadable"
	}
	_, err := r.caller.Call(ctx, sim.Call{Method: http.MethodPost, Path: "/verification/cases/" + id + "/transition",
		In: in})
	if sim.Status(err) == http.StatusConflict {
		return nil
	}
	return err
}
