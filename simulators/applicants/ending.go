package applicants

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// end lets all cases end. With a backend in this process, the expiry job runs at each of these times, in two places
// concurrently; elsewhere others must run it.
func (o *office) end(ctx context.Context, cfg Config) error {
	if e := o.venue.Embedded; e != nil {
		if err := o.searchTable(ctx, e, o.keys()); err != nil {
			return err
		}
		actors, err := o.expiry()
		if err != nil {
			return err
		}
		if _, err := o.venue.Stage(who(cfg)).Play(ctx, actors...); err != nil {
			return err
		}
	}
	if err := o.clock.Reach(ctx, o.farewell()); err != nil {
		return err
	}
	if err := o.gone(ctx); err != nil {
		return err
	}
	if e := o.venue.Embedded; e != nil {
		return errors.Join(o.searchRemains(ctx, e), o.searchFiles(e.Backend.Uploads))
	}
	return nil
}

// expiry returns the actors of the time when cases end: their applicants read them, two jobs run, and at the end they
// run once more.
func (o *office) expiry() ([]sim.Actor, error) {
	var actors []sim.Actor
	var ends []time.Duration
	for _, a := range o.applicants {
		for _, of := range a.cases {
			if of.id == "" {
				continue
			}
			ends = append(ends, of.At+lifetime)
			if !of.Verdict.submitted() {
				actors = append(actors, &once{at: of.At + lifetime, do: func(ctx context.Context) error {
					return a.looksLate(ctx, of)
				}})
			}
		}
	}
	for range jobs {
		job, err := newJob(o.venue.Embedded)
		if err != nil {
			return nil, err
		}
		for _, at := range ends {
			actors = append(actors, &once{at: at, do: func(ctx context.Context) error { return job.day(ctx, at-lifetime) }})
		}
		actors = append(actors, &once{at: o.farewell() - step, do: job.all})
	}
	return actors, nil
}

// jobs is the number of concurrent expiry jobs.
const jobs = 2

// looksLate reads a case in the second in which it expires.
func (a *applicant) looksLate(ctx context.Context, of *application) error {
	var got thing
	if _, err := a.sure.Call(ctx, sim.Call{Method: http.MethodGet, Path: "/verification/cases/" + of.id,
		Out: &got}); err != nil {
		return fmt.Errorf("applicant %d, reading an expired case: %w", a.plan.Number, err)
	}
	if got["status"] != "expired" {
		a.office.ledger.Fault(sim.Changed, "case %s is still %v after its expiry", of.id, got["status"])
	} else {
		a.office.ledger.Found(expired)
	}
	of.trail = append(of.trail, fmt.Sprintf("case.expire %v -> expired", of.want["status"]))
	return nil
}
