package runner

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v21"

	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/features/wire"
)

// collector collects the outcomes of one system's scenarios. It is safe for concurrent use.
type collector struct {
	suite     Suite
	selection selection // other scenarios are not collected
	sources   map[string]Source
	known     map[string]Difference // by scenario
	log       *slog.Logger
	ended     func(report.Scenario)
	traces    bool              // keep requests and responses
	lacks     map[string]string // missing operations of the target, each with the reason

	mu   sync.Mutex
	done []report.Scenario
}

// newTrace returns the trace of a scenario, or nil if nobody needs its requests and responses.
func (c *collector) newTrace() *wire.Trace {
	if !c.traces && len(c.lacks) == 0 {
		return nil
	}
	return wire.NewTrace()
}

// observe records one scenario, and tears down its world at the end, which counts as part of it. A scenario that
// ends after the run was stopped has no outcome, so it is not recorded.
func (c *collector) observe(run context.Context, sc *godog.ScenarioContext, trace *wire.Trace,
	tearDown func(context.Context) error) {
	var started, stepStarted time.Time
	results := map[string]report.Step{}
	var skipped error // godog forgets it before the scenario ends
	sc.Before(func(ctx context.Context, _ *godog.Scenario) (context.Context, error) {
		started = time.Now()
		return ctx, nil
	})
	sc.StepContext().Before(func(ctx context.Context, _ *godog.Step) (context.Context, error) {
		stepStarted = time.Now()
		trace.NextStep()
		return ctx, nil
	})
	sc.StepContext().After(
		func(ctx context.Context, st *godog.Step, status godog.StepResultStatus, err error) (context.Context, error) {
			results[st.Id] = report.Step{Status: status.String(), Elapsed: time.Since(stepStarted)}
			if errors.Is(err, godog.ErrSkip) {
				skipped = err
			}
			return ctx, nil
		})
	sc.After(func(ctx context.Context, s *godog.Scenario, err error) (context.Context, error) {
		// Take down the world even if the run was cut short.
		tearDownErr := tearDown(context.WithoutCancel(ctx))
		if run.Err() == nil && c.selection.includes(c.suite.path(s.Uri), s.Name, tagNames(s)) {
			c.add(s, results, cmp.Or(skipped, err), tearDownErr, time.Since(started), trace)
		}
		return ctx, nil
	})
}

func (c *collector) add(s *godog.Scenario, results map[string]report.Step, err, tearDownErr error, took time.Duration,
	trace *wire.Trace) {
	file := path.Base(s.Uri)
	out := report.Scenario{
		System: c.suite.Name, Feature: c.sources[file].Title, File: file, Name: s.Name,
		IDs: IDs(tagNames(s)), Elapsed: took, Steps: stepsOf(s, results),
	}
	if c.traces {
		addTrace(&out, trace)
	}
	c.sources[file].setLines(&out)
	if out.Outcome, out.Reason = outcomeOf(err, tearDownErr, c.known[s.Name]); out.Outcome == report.Failed {
		if reason := c.lackOf(trace); reason != "" {
			out.Outcome, out.Reason = report.NotApplicable, reason
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done = append(c.done, out)
	c.ended(out)
	c.log.Info("scenario", "outcome", out.Outcome, "name", out.Name, "ids", out.IDs, "took", took.Round(time.Millisecond))
}

// lackOf returns why the target could not run a scenario with these requests: one of them was refused, and is of an
// operation that the target lacks. It returns "" otherwise.
func (c *collector) lackOf(trace *wire.Trace) string {
	if len(c.lacks) == 0 {
		return ""
	}
	exchanges, _ := trace.Exchanges()
	for _, e := range exchanges {
		if reason := c.lacks[e.Operation]; reason != "" && e.Status != http.StatusOK {
			return reason
		}
	}
	return ""
}

// addTrace adds the requests and responses of a scenario.
func addTrace(s *report.Scenario, trace *wire.Trace) {
	exchanges, dropped := trace.Exchanges()
	for _, e := range exchanges {
		s.Trace = append(s.Trace, report.Exchange(e))
	}
	s.TraceDropped = dropped
}

// outcomeOf returns the outcome of a scenario, given the known differences of the target.
func outcomeOf(err, tearDownErr error, known Difference) (report.Outcome, string) {
	switch {
	case errors.Is(err, godog.ErrSkip):
		_, reason, _ := strings.Cut(err.Error(), godog.ErrSkip.Error()+": ")
		return report.NotApplicable, reason
	case err == nil && tearDownErr != nil:
		return report.Failed, "cleaning up: " + tearDownErr.Error()
	case err == nil && known.Reason != "" && !known.Sometimes:
		return report.Failed, "it passes now: remove the known difference from known.yaml (" + known.Reason + ")"
	case err == nil:
		return report.Passed, ""
	case errors.Is(err, godog.ErrUndefined):
		return report.Failed, "undefined step: docs/steps.md lists the generic steps"
	case known.Reason != "":
		return report.KnownDifference, known.Reason
	}
	return report.Failed, err.Error()
}

// stepsOf returns the scenario's steps with their keywords, which a pickle keeps only as a type.
func stepsOf(s *godog.Scenario, results map[string]report.Step) []report.Step {
	keywords := map[messages.PickleStepType]string{
		messages.PickleStepType_CONTEXT: "Given", messages.PickleStepType_ACTION: "When",
		messages.PickleStepType_OUTCOME: "Then",
	}
	var all []report.Step
	var before messages.PickleStepType
	for _, st := range s.Steps {
		step, ok := results[st.Id]
		if !ok {
			step.Status = godog.StepSkipped.String()
		}
		step.Keyword, step.Text, step.Detail = keywords[st.Type], st.Text, argument(st.Argument)
		if st.Type == before {
			step.Keyword = "And"
		}
		before = st.Type
		all = append(all, step)
	}
	return all
}

func argument(a *messages.PickleStepArgument) string {
	switch {
	case a == nil:
		return ""
	case a.DocString != nil:
		return a.DocString.Content
	}
	var rows []string
	for _, row := range a.DataTable.Rows {
		cells := make([]string, len(row.Cells))
		for i, cell := range row.Cells {
			cells[i] = cell.Value
		}
		rows = append(rows, "| "+strings.Join(cells, " | ")+" |")
	}
	return strings.Join(rows, "\n")
}

// sorted returns the scenarios by file and by position in the file: they run in random order, but reports are stable.
func (c *collector) sorted() []report.Scenario {
	slices.SortFunc(c.done, func(a, b report.Scenario) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line)
	})
	return c.done
}
