package runner_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/runner"
	"github.com/tabletop-db/tabletop/features/steps"
)

// TestScenarioWithoutStepsIsAnError runs a scenario and one that has no steps, which would otherwise be missing from
// the report although its tags count as covered.
func TestScenarioWithoutStepsIsAnError(t *testing.T) {
	t.Parallel()
	const feature = `Feature: empty
  Scenario: with a step
    Given nothing
  Scenario: without steps
`
	run, err := runner.Run(t.Context(), runner.Options{}, runner.Suite{
		Name: "empty", Files: fstest.MapFS{"a.feature": {Data: []byte(feature)}},
		Steps: func(sc *godog.ScenarioContext, _ *steps.World) {
			sc.Step(`^nothing$`, func(context.Context) error { return nil })
		},
	})
	if err == nil || !strings.Contains(err.Error(), "only 1 of 2 scenarios of empty ran") || len(run.Scenarios) != 1 {
		t.Errorf("%v, %d scenarios", err, len(run.Scenarios))
	}
}
