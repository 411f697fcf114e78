package runner_test

import (
	"context"
	"errors"
	"testing"
	"testing/fstest"

	"github.com/cucumber/godog"

	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/features/runner"
	"github.com/tabletop-db/tabletop/features/steps"
)

const fourScenarios = `Feature: stopped
  Scenario: a
    Given a step
  Scenario: b
    Given a step
  Scenario: c
    Given a step
  Scenario: d
    Given a step
`

// TestStoppedRuns stops a run during its second scenario, which fails because of that, and so do the later ones.
func TestStoppedRuns(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ran := 0
	step := func(ctx context.Context) error {
		if ran++; ran == 2 {
			stop()
		}
		return ctx.Err()
	}
	var progress []runner.Progress
	run, err := runner.Run(ctx, runner.Options{
		Concurrency: 1, OnScenario: func(p runner.Progress) { progress = append(progress, p) },
	}, runner.Suite{
		Name: "stopped", Files: fstest.MapFS{"a.feature": {Data: []byte(fourScenarios)}},
		Steps: func(sc *godog.ScenarioContext, _ *steps.World) { sc.Step(`^a step$`, step) },
	})
	if !errors.Is(err, context.Canceled) || ran != 2 {
		t.Errorf("%d scenarios ran: %v", ran, err)
	}
	if len(run.Scenarios) != 1 || run.Scenarios[0].Outcome != report.Passed || len(progress) != 1 ||
		progress[0].Done != 1 || progress[0].Failed != 0 || progress[0].Total != 4 {
		t.Errorf("%+v, %+v", run.Scenarios, progress)
	}
}
