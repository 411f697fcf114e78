package applicants

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

const (
	keyRotationAt = enrolment / 2           // when the key of contact data is rotated
	readBackAt    = lifetime - 12*time.Hour // when every case is read back, before the first one ends
)

// Run simulates all applicants and reviewers, reads back the result and, if it controls the clock, again when all cases
// have ended. Faults of the backend are not an error of Run: see Result.Err.
func Run(ctx context.Context, cfg Config) (res sim.Result, err error) {
	if err := cfg.Check(); err != nil {
		return res, err
	}
	cfg = cfg.withDefaults()
	env, clear, err := openEnvironment(ctx, cfg)
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, env.Close(), clear()) }()
	s, err := play(ctx, env, cfg)
	if err != nil {
		return res, err
	}
	return s.compareAll(ctx)
}

// play runs the plans of applicants and reviewers, and rotates the key halfway.
func play(ctx context.Context, env *simenv.Environment, cfg Config) (*simulation, error) {
	s, applicants, err := setUp(ctx, env, cfg)
	if err != nil {
		return nil, err
	}
	return s, s.run(ctx, applicants)
}

// setUp creates the simulation, its clients and its applicants, and an actor who rotates the key.
func setUp(ctx context.Context, env *simenv.Environment, cfg Config) (*simulation, []sim.Actor, error) {
	s := &simulation{cfg: cfg, env: env, clock: env.Clock, ledger: newLedger(env), verdicts: map[string]Verdict{}}
	if err := s.createClients(ctx); err != nil {
		return nil, nil, err
	}
	actors := []sim.Actor{&singleAction{at: keyRotationAt, do: s.rotateKey}}
	for n := range cfg.Applicants {
		plan := NewPlan(cfg.Seed, n, cfg.Clients)
		if !cfg.simulates(plan.Client) {
			continue
		}
		actors = append(actors, s.addApplicant(plan))
		s.allDecided = max(s.allDecided, plan.Applications[len(plan.Applications)-1].At+decisionTime)
	}
	return s, actors, nil
}

// run runs the applicants and the reviewers. If that is stopped, the reviewers still decide what was submitted.
func (s *simulation) run(ctx context.Context, applicants []sim.Actor) error {
	var reviewers []sim.Actor
	for n := range s.cfg.Reviewers {
		who := s.env.User(sim.Mix(forReviewer, uint64(n)), fmt.Sprintf("reviewer-%d", n+1), "reviewer")
		reviewers = append(reviewers, &reviewer{sim: s, caller: who, openDays: map[string]bool{}})
	}
	runner := s.env.Runner(s.participants())
	end, err := runner.Run(ctx, append(applicants, reviewers...)...)
	if err != nil {
		return err
	}
	s.allDecided = min(s.allDecided, end+decisionTime)
	runner.Stop = nil
	_, err = runner.Run(ctx, reviewers...)
	return err
}

// allEnded returns the time when the last case and its day have ended.
func (s *simulation) allEnded() time.Duration { return s.allDecided + lifetime }

func (s *simulation) participants() sim.Participants {
	return sim.Participants{{Name: "applicants", N: int64(len(s.applicants))}}
}

// rotateKey adds a new key for sealing contact data.
func (s *simulation) rotateKey(ctx context.Context) error {
	_, err := s.env.Admin().Call(ctx, sim.Call{Method: http.MethodPost, Path: "/verification/pii-keys/rotate"})
	s.ledger.CountAction(keyRotations)
	return err
}

// compareAll compares everything with the plans, and again after all cases have ended.
func (s *simulation) compareAll(ctx context.Context) (res sim.Result, err error) {
	if s.clock.ControlsBackend() {
		if err := s.clock.WaitUntil(ctx, readBackAt); err != nil {
			return res, err
		}
	}
	if err := s.readBack(ctx); err != nil {
		return res, err
	}
	if _, err := s.env.CheckInvariants(ctx, s.ledger); err != nil { // at the end, no case is left
		return res, err
	}
	end := s.allDecided
	if s.clock.ControlsBackend() {
		end = s.allEnded()
		if err := s.expireCases(ctx); err != nil {
			return res, err
		}
	}
	if err := s.readTrails(ctx, end); err != nil {
		return res, err
	}
	return s.env.Result(ctx, simenv.Summary{
		Simulator: "applicants", Settings: s.cfg.settings(), Participants: s.participants(),
		PassMessage: "every case ended exactly once, with a complete audit trail",
	}, s.ledger)
}

// expectedKeys returns how many keys must have sealed contact data: those before and after the rotation, if somebody
// applied then.
func (s *simulation) expectedKeys() int {
	used := map[bool]bool{}
	for _, a := range s.applicants {
		for _, app := range a.cases {
			if app.id != "" {
				used[s.ledger.ActionCount(keyRotations) > 0 && app.At >= keyRotationAt] = true
			}
		}
	}
	return len(used)
}

func newLedger(env *simenv.Environment) *sim.Ledger {
	actions := []string{casesOpened, casesRepeated, documentsSent, documentsConfirmed, casesCompleted, casesSubmitted,
		sessionsOpened, keyRotations}
	var checks []string
	for _, what := range []string{cases, documents, clientLists} {
		checks = append(checks, what+" as expected")
	}
	checks = append(checks, trails, entries)
	if env.Clock.ControlsBackend() {
		checks = append(checks, casesRemoved)
	}
	if env.Embedded != nil {
		checks = append(checks, casesExpired, cleanScans, emptyScans, emptyFolders)
	}
	return sim.NewLedger(actions, checks, append(sim.CompareFaults(), Exposed))
}

// The labels of the counts in the result.
const (
	casesOpened        = "cases opened"
	casesRepeated      = "cases opened by a repeated request"
	documentsSent      = "documents sent"
	documentsConfirmed = "documents confirmed"
	casesCompleted     = "cases completed"
	casesSubmitted     = "cases submitted"
	sessionsOpened     = "sessions opened"
	keyRotations       = "rotations of the contact data key"

	cases        = "cases"
	documents    = "documents"
	clientLists  = "cases in client lists"
	trails       = "complete audit trails in order"
	entries      = "entries in audit trails"
	casesExpired = "unfinished cases expired on time"
	casesRemoved = "ended cases without data left"
	cleanScans   = "table scans without contact data in clear text"
	emptyFolders = "upload folders without files left"
	emptyScans   = "final table scans with only audit trail and keys"
)
