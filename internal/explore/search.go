package explore

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// defaultFindings ends a search: whoever has as many findings mends some of them first.
const defaultFindings = 20

// search is a search in progress.
type search struct {
	program  Program
	settings Settings
	deadline time.Time
	result   *Result

	rng     *rand.Rand
	tried   map[string]bool // texts of plans that were run or are about to
	queue   []Plan          // tried before all others
	seen    map[Target]*target
	targets []*target // in the order in which they were seen
	// canHappen is whether any mishap can happen to a request of the program, also of the kinds that are not tried.
	canHappen bool
	// transacted are the tables on which the program uses transactions.
	transacted map[string]bool
}

// Search explores a program within the bounds of the settings. Errors: an unknown kind, FailsAloneError, ErrNoRequests,
// ErrNoSuchMishaps, ErrNothingTried, ErrNothingHappened, that of ctx, or one of the program. The result is nil only if
// the program could not be explored at all.
func Search(ctx context.Context, program Program, settings Settings) (*Result, error) {
	if err := settings.Check(); err != nil {
		return nil, err
	}
	s := &search{program: program, settings: settings, result: newResult(settings.Seed),
		rng:   rand.New(rand.NewPCG(settings.Seed, 0)),
		tried: map[string]bool{}, seen: map[Target]*target{}, transacted: map[string]bool{}}
	s.settings.Parallel, s.settings.Findings = max(1, settings.Parallel), cmp.Or(settings.Findings, defaultFindings)
	began := time.Now()
	if settings.For > 0 {
		s.deadline = began.Add(settings.For)
	}
	if err := s.undisturbed(ctx); err != nil {
		return nil, err
	}
	took := time.Since(began)
	for s.within(ctx) {
		plans := s.next(s.groupSize())
		if len(plans) == 0 {
			break
		}
		if err := s.try(ctx, plans); err != nil {
			return s.result, err
		}
		s.report()
	}
	switch {
	case ctx.Err() != nil:
		return s.result, ctx.Err()
	case len(s.result.cells) == 0:
		return nil, fmt.Errorf("%w: the runs without mishaps took %s; allow more time or runs", ErrNothingTried,
			took.Round(time.Millisecond))
	case !s.result.hasHits():
		return nil, ErrNothingHappened
	}
	return s.result, nil
}

// undisturbed runs the program twice without mishaps.
func (s *search) undisturbed(ctx context.Context) error {
	for n := range 2 {
		o, err := s.program.Run(ctx, nil)
		if err != nil {
			return err
		}
		s.result.Runs++
		if !o.Passed {
			return &FailsAloneError{Outcome: o, Run: n + 1}
		}
		s.learn(nil, o)
		if n == 0 {
			s.result.Undisturbed = o
		}
	}
	switch {
	case !s.canHappen:
		return ErrNoRequests
	case len(s.targets) == 0:
		return ErrNoSuchMishaps
	}
	return s.beside(ctx)
}

// beside runs the program without mishaps beside itself, as all later runs are: it may need something of which there is
// only one. These runs are not counted.
func (s *search) beside(ctx context.Context) error {
	if s.settings.Parallel == 1 {
		return nil
	}
	outcomes, err := s.runAll(ctx, []Plan{nil, nil})
	if err != nil {
		return err
	}
	s.result.Runs -= len(outcomes)
	for i, o := range outcomes {
		if !o.Passed {
			return &FailsAloneError{Outcome: o, Run: s.result.Runs + i + 1, Beside: true}
		}
	}
	return nil
}

// within reports whether the bounds allow another run.
func (s *search) within(ctx context.Context) bool {
	return ctx.Err() == nil && (s.settings.Runs == 0 || s.result.Runs < s.settings.Runs) &&
		(s.deadline.IsZero() || time.Now().Before(s.deadline)) && len(s.result.Findings) < s.settings.Findings
}

// groupSize returns the number of plans that are tried before the next are chosen. It does not depend on the number of
// parallel runs, so that the search does not either.
func (s *search) groupSize() int {
	const size = 32
	if s.settings.Runs == 0 {
		return size
	}
	return min(size, s.settings.Runs-s.result.Runs)
}

// try runs plans and evaluates their outcomes in the order of the plans.
func (s *search) try(ctx context.Context, plans []Plan) error {
	outcomes, err := s.runAll(ctx, plans)
	if err != nil {
		return err
	}
	for i, o := range outcomes {
		s.learn(plans[i], o)
		if s.result.explains(plans[i]) { // a finding of these runs
			continue
		}
		s.result.note(plans[i], o)
		if o.Passed || len(s.result.Findings) >= s.settings.Findings {
			continue
		}
		if err := s.examine(ctx, plans[i], o); err != nil {
			return err
		}
	}
	return nil
}
