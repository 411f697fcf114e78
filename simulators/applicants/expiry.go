package applicants

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// expireCases lets all cases end. With a backend in this process, the expiry job runs at each of these times, in two
// places concurrently; elsewhere others must run it.
func (s *simulation) expireCases(ctx context.Context) error {
	if e := s.env.Embedded; e != nil {
		if err := s.searchTable(ctx, e, s.expectedKeys()); err != nil {
			return err
		}
		actors, err := s.expiryActors()
		if err != nil {
			return err
		}
		runner := s.env.Runner(s.participants())
		runner.Stop = nil // what was opened before a stop ends too
		if _, err := runner.Run(ctx, actors...); err != nil {
			return err
		}
	}
	if err := s.clock.WaitUntil(ctx, s.allEnded()); err != nil {
		return err
	}
	if err := s.checkGone(ctx); err != nil {
		return err
	}
	if e := s.env.Embedded; e != nil {
		return errors.Join(s.searchLeftovers(ctx, e), s.searchFiles(e.Backend.Uploads))
	}
	return nil
}

// expiryActors returns the actors of the time when cases end: their applicants read them, two jobs run, and at the end
// they run once more.
func (s *simulation) expiryActors() ([]sim.Actor, error) {
	var actors []sim.Actor
	var ends []time.Duration
	for _, a := range s.applicants {
		for _, app := range a.cases {
			if app.id == "" {
				continue
			}
			ends = append(ends, app.At+lifetime)
			if !app.decided() {
				actors = append(actors, &singleAction{at: app.At + lifetime, do: func(ctx context.Context) error {
					return a.checkExpired(ctx, app)
				}})
			}
		}
	}
	for range expiryJobs {
		job, err := newJob(s.env.Embedded)
		if err != nil {
			return nil, err
		}
		for _, at := range ends {
			actors = append(actors, &singleAction{at: at, do: func(ctx context.Context) error {
				return job.expireDay(ctx, at-lifetime)
			}})
		}
		actors = append(actors, &singleAction{at: s.allEnded() - step, do: job.expireAll})
	}
	return actors, nil
}

// expiryJobs is the number of concurrent expiry jobs.
const expiryJobs = 2

// checkExpired reads a case in the second in which it expires.
func (a *applicant) checkExpired(ctx context.Context, app *application) error {
	var got object
	if _, err := a.reliable.Call(ctx, sim.Call{Method: http.MethodGet, Path: "/verification/cases/" + app.id,
		Out: &got}); err != nil {
		return fmt.Errorf("applicant %d, reading an expired case: %w", a.plan.Number, err)
	}
	if got["status"] != "expired" {
		a.sim.ledger.ReportFault(sim.Changed, "case %s is still %v after its expiry", app.id, got["status"])
	} else {
		a.sim.ledger.CountMatch(casesExpired)
	}
	app.trail = append(app.trail, fmt.Sprintf("case.expire %v -> expired", app.want["status"]))
	return nil
}
