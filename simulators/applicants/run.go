package applicants

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/venue"
)

const (
	rotation   = enrolment / 2           // when the key of contact data is rotated
	inspection = lifetime - 12*time.Hour // when every case is read back, before the first one ends
)

// Run simulates all applicants and reviewers, reads back the result and, if it controls the clock, again when all cases
// have ended. Faults of the backend are not an error of Run: see Result.Err.
func Run(ctx context.Context, cfg Config) (res sim.Result, err error) {
	if err := cfg.Check(); err != nil {
		return res, err
	}
	cfg = cfg.withDefaults()
	v, clear, err := openVenue(ctx, cfg)
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, v.Close(), clear()) }()
	o, err := play(ctx, v, cfg)
	if err != nil {
		return res, err
	}
	return o.reckon(ctx, cfg)
}

// play runs the plans of applicants and reviewers, and rotates the key halfway.
func play(ctx context.Context, v *venue.Venue, cfg Config) (*office, error) {
	o := &office{venue: v, clock: v.Clock, ledger: newLedger(v), verdict: map[string]Verdict{}}
	if err := o.enrol(ctx, cfg.Seed, cfg.Clients); err != nil {
		return nil, err
	}
	actors := []sim.Actor{&once{at: rotation, do: o.rotate}}
	for n := range cfg.Applicants {
		plan := NewPlan(cfg.Seed, n, cfg.Clients)
		actors = append(actors, o.admit(plan))
		o.decided = max(o.decided, plan.Applications[len(plan.Applications)-1].At+deciding)
	}
	for n := range cfg.Reviewers {
		who := v.Person(sim.Mix(forReviewer, uint64(n)), fmt.Sprintf("reviewer-%d", n+1), "reviewer")
		actors = append(actors, &reviewer{office: o, caller: who, days: map[string]bool{}})
	}
	_, err := v.Stage(who(cfg)).Play(ctx, actors...)
	return o, err
}

// farewell returns the time when the last case and its day have ended.
func (o *office) farewell() time.Duration { return o.decided + lifetime }

func who(cfg Config) string { return fmt.Sprintf("%d applicants", cfg.Applicants) }

// rotate adds a new key for sealing contact data.
func (o *office) rotate(ctx context.Context) error {
	_, err := o.venue.Admin().Call(ctx, sim.Call{Method: http.MethodPost, Path: "/verification/pii-keys/rotate"})
	o.ledger.Did(rotated)
	return err
}

// reckon compares everything with the plans, and again after all cases have ended.
func (o *office) reckon(ctx context.Context, cfg Config) (res sim.Result, err error) {
	if o.clock.Moves() {
		if err := o.clock.Reach(ctx, inspection); err != nil {
			return res, err
		}
	}
	if err := o.readBack(ctx); err != nil {
		return res, err
	}
	end := o.decided
	if o.clock.Moves() {
		end = o.farewell()
		if err := o.end(ctx, cfg); err != nil {
			return res, err
		}
	}
	if err := o.readTrail(ctx, end); err != nil {
		return res, err
	}
	return o.venue.Result(who(cfg), "every case ended exactly once, with a complete audit trail", o.ledger), nil
}

// keys returns how many keys must have sealed contact data: those before and after the rotation, if somebody applied
// then.
func (o *office) keys() int {
	used := map[bool]bool{}
	for _, a := range o.applicants {
		for _, of := range a.cases {
			if of.id != "" {
				used[o.ledger.N(rotated) > 0 && of.At >= rotation] = true
			}
		}
	}
	return len(used)
}

func newLedger(v *venue.Venue) *sim.Ledger {
	did := []string{opened, repeated, sent, confirmed, completed, submitted, sessions, rotated}
	var found []string
	for _, what := range []string{cases, documents, listed} {
		found = append(found, what+" as expected")
	}
	found = append(found, trails, entries)
	if v.Clock.Moves() {
		found = append(found, ended)
	}
	if v.Embedded != nil {
		found = append(found, expired, sealed, emptied, cleared)
	}
	return sim.NewLedger(did, found, append(sim.Faults(), Leaked))
}

// What was done and what was found, in the words of the result.
const (
	opened    = "cases opened"
	repeated  = "cases opened by a repeated request"
	sent      = "documents sent"
	confirmed = "documents confirmed"
	completed = "cases completed"
	submitted = "cases submitted"
	sessions  = "sessions opened"
	rotated   = "rotations of the contact data key"

	cases     = "cases"
	documents = "documents"
	listed    = "cases in client lists"
	trails    = "complete audit trails in order"
	entries   = "entries in audit trails"
	expired   = "unfinished cases expired on time"
	ended     = "ended cases without data left"
	sealed    = "table scans without contact data in clear text"
	cleared   = "upload folders without files left"
	emptied   = "final table scans with only audit trail and keys"
)
