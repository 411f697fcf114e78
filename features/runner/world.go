package runner

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/steps"
	"github.com/tabletop-db/tabletop/features/targets"
	"github.com/tabletop-db/tabletop/features/wire"
)

// NeedsTag is the prefix of the tag of a scenario that runs only on a target with that capability.
const NeedsTag = "@needs:"

// setUpWorld sets up a world for the scenario before its steps, and skips a scenario that is not selected, or whose run
// has been stopped. The returned function tears the world down, and must be called at the end of the scenario.
func setUpWorld(sc *godog.ScenarioContext, target *targets.Target, suite Suite, selected selection,
	trace *wire.Trace) (tearDown func(context.Context) error) {
	w, on := &steps.World{Files: suite.Files, Trace: trace}, cmp.Or(suite.On, targets.DynamoDB)
	sc.Before(func(ctx context.Context, s *godog.Scenario) (context.Context, error) {
		stopped, others := ctx.Err() != nil, !selected.includes(suite.path(s.Uri), s.Name, tagNames(s))
		if stopped || others {
			return ctx, godog.ErrSkip
		}
		return ctx, open(ctx, w, s, target, on)
	})
	w.Register(sc)
	if suite.Steps != nil {
		suite.Steps(sc, w)
	}
	return w.Close
}

// open skips a scenario that the target cannot run. A scenario that moves time gets a store of its own, because moving
// the clock would expire data of other scenarios.
func open(ctx context.Context, w *steps.World, s *godog.Scenario, target *targets.Target, on targets.Capability) error {
	needed := neededCapabilities(s)
	for _, c := range append([]targets.Capability{on}, needed...) {
		if reason, ok := target.Supports(c); !ok {
			return fmt.Errorf("%w: %s", godog.ErrSkip, reason)
		}
	}
	now := time.Now().UTC().Truncate(time.Second)
	if len(needed) > 0 {
		private, err := target.NewPrivate(ctx, now)
		if err != nil {
			return err
		}
		w.OnClose(func(context.Context) error { return private.Close() })
		w.Private, target = true, private
	}
	w.Open(target, target.TablePrefix+strings.ToLower(rand.Text()[:8])+"-", now)
	return nil
}

func neededCapabilities(s *godog.Scenario) []targets.Capability {
	var all []targets.Capability
	for _, tag := range s.Tags {
		if c, ok := strings.CutPrefix(tag.Name, NeedsTag); ok {
			all = append(all, targets.Capability(c))
		}
	}
	return all
}
