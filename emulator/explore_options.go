package emulator

import (
	"context"
	"time"

	"github.com/tabletop-db/tabletop/internal/explore"
)

// exploration holds the settings of Explore.
type exploration struct {
	explore.Settings
	limit   time.Duration // of a run
	options []Option
	check   func(context.Context, *Emulator) error // after each run; nil: none
}

// ExploreOption changes a setting of Explore from its default.
type ExploreOption func(*exploration)

// ExploreRuns bounds the number of runs. The default is 1,000; 0 is no bound. The runs that examine a failure may
// exceed it.
func ExploreRuns(n int) ExploreOption { return func(s *exploration) { s.Runs = n } }

// ExploreFor bounds the time. The default is 20 seconds; 0 is no bound but the deadline of the test binary.
func ExploreFor(d time.Duration) ExploreOption { return func(s *exploration) { s.For = d } }

// ExploreSeed sets the seed of the random plans. The default is 1.
func ExploreSeed(seed uint64) ExploreOption { return func(s *exploration) { s.Seed = seed } }

// ExploreLimit sets the time after which a run that has not ended is a failure. The default is 20 seconds.
func ExploreLimit(d time.Duration) ExploreOption { return func(s *exploration) { s.limit = d } }

// ExploreWith sets options of the emulators of the runs.
func ExploreWith(opts ...Option) ExploreOption {
	return func(s *exploration) { s.options = append(s.options, opts...) }
}

// ExploreCheck sets what is checked after each run, when the test and all that it started have ended: an error fails
// the run. It finds out a test that notices nothing, with invariants for example:
//
//	emulator.ExploreCheck(func(ctx context.Context, e *emulator.Emulator) error {
//		return set.Holds(ctx, invariants.Databases{DynamoDB: dynamodb.NewFromConfig(e.AWSConfig())})
//	})
//
// No mishap happens to its requests. The default is no check.
func ExploreCheck(check func(context.Context, *Emulator) error) ExploreOption {
	return func(s *exploration) { s.check = check }
}

// ExploreKinds sets the kinds of mishaps, of those that Explore knows. The default is DoCutAfterCommit, DoUnprocessed,
// DoShortPage, DoRedeliver, DoStale, DoConflict, DoCutBeforeCommit, DoThrottle, DoInternalError, DoClockJump and
// DoRestart. DoExpiredToken is tried only if it is named: clients with permanent credentials do not survive it.
func ExploreKinds(kinds ...FaultAction) ExploreOption {
	return func(s *exploration) {
		s.Kinds = []explore.Kind{}
		for _, k := range kinds {
			s.Kinds = append(s.Kinds, explore.Kind(k))
		}
	}
}
