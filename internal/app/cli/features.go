package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/features"
	"github.com/tabletop-db/tabletop/features/catalog"
	"github.com/tabletop-db/tabletop/features/report"
	"github.com/tabletop-db/tabletop/features/runner"
	"github.com/tabletop-db/tabletop/features/targets"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

func newFeatures() *cobra.Command {
	var o features.Options
	var target targetFlags
	var verbose bool
	var format progressFormat
	var failed bool
	cmd := &cobra.Command{
		Use:   "features [FILE[:LINE...]...]",
		Short: "Run the scenarios of the documented access patterns and rules on a target",
		Long: `Run the scenarios of every documented access pattern and rule on a target, and write the report as HTML, Markdown,
JUnit XML and Cucumber JSON. Scenarios that require a capability that the target lacks are reported as not applicable,
with the reason. The exit status is 1 if a scenario fails.

FILE selects the scenarios of a feature file, or of a folder; with lines, those that the lines belong to: of a scenario
outline, a row of its examples selects this example. --tags takes a tag expression of Cucumber, and --name a regular
expression that matches a part of the scenario's name. --failed selects those that failed in the last run on the target,
from its report. Only scenarios that meet all of these run. Their reports are written to a subfolder, selected, and
leave those about all scenarios as they are.`,
		Example: `  tabletop features
  tabletop features --tags @TL-P7
  tabletop features --tags '@TL-R9 and not @TL-O3'
  tabletop features features/telemetry/readings.feature
  tabletop features features/telemetry/readings.feature:8:19
  tabletop features --name 'invalid (change|event)'
  tabletop features --failed
  tabletop features --tags @TL-P1 --trace --progress json
  tabletop features --target dynamodb-local
  tabletop features --target url=http://127.0.0.1:8000 --report reports/mine`,
		RunE: func(cmd *cobra.Command, files []string) error {
			o.Target, o.Open, o.Selection.Files = target.name, target.options(command.Logger(cmd)), files
			if err := errors.Join(format.check(), checkTarget(o)); err != nil {
				return err
			}
			if failed {
				if err := selectFailed(&o); err != nil {
					return err
				}
			}
			return runFeatures(cmd, o, verbose, format)
		},
	}
	target.bind(cmd.Flags(), string(targets.Embedded))
	flags := cmd.Flags()
	flags.StringVar(&o.Selection.Tags, "tags",
		"", `Tag expression that selects scenarios, such as "@TL-P1 or @TL-P2". Default: all.`)
	flags.StringVar(&o.Selection.Name, "name",
		"", "Regular expression that selects the scenarios whose name it matches in any part. Default: all.")
	flags.BoolVar(&failed, "failed", false, "Run only the scenarios that failed in the last run on the target.")
	flags.StringVar(&o.OutDir, "report", featuresFolder,
		"Folder for the reports. Runs on several targets are combined in it.")
	flags.IntVar(&o.Concurrency, "concurrency", 4, "Number of scenarios to run in parallel.")
	flags.BoolVar(&o.Trace, "trace", false,
		"Keep the requests and responses of each scenario, without headers, in the JSON results.")
	format.bind(flags)
	flags.BoolVar(&verbose, "verbose", false, "Print each scenario when it ends.")
	offerFeatureFiles(cmd)
	return cmd
}

func checkTarget(o features.Options) error {
	if _, err := targets.Parse(o.Target); err != nil {
		return command.Usagef("--target: %v", err)
	}
	return nil
}

// selectFailed selects the scenarios that failed in the last run on the target.
func selectFailed(o *features.Options) error {
	if len(o.Selection.Files) > 0 {
		return command.Usagef("--failed selects files itself: omit %s, or --failed", strings.Join(o.Selection.Files, " "))
	}
	if o.OutDir == "" {
		return command.Usagef("--failed requires --report, the folder with the report of the last run")
	}
	target, err := targets.Parse(o.Target)
	if err != nil {
		return err
	}
	o.Selection.Files, err = features.Failed(o.OutDir, target.TargetName(o.Open))
	if err != nil {
		return command.Usagef("--failed: %v", err)
	}
	return nil
}

func runFeatures(cmd *cobra.Command, o features.Options, verbose bool, format progressFormat) error {
	progress := newFeaturesProgress(cmd.ErrOrStderr(), verbose, rerunOf(o))
	o.OnScenario = progress.show
	if format == jsonProgress {
		o.OnScenario = writeFeaturesProgress(cmd.ErrOrStderr())
	}
	show, last := o.OnScenario, runner.Progress{}
	o.OnScenario = func(p runner.Progress) {
		last = p
		show(p)
	}
	summary, err := features.Run(cmd.Context(), o)
	progress.line.Done()
	if err != nil && cmd.Context().Err() != nil {
		return stoppedFeatures(cmd.Context(), last)
	}
	if err != nil {
		return featuresError(o, err)
	}
	printFeatures(cmd.OutOrStdout(), summary, rerunOf(o))
	if failed := summary.Count(report.Failed); failed > 0 {
		return fmt.Errorf("%d of %d scenarios failed: see the report for the failed steps", failed, len(summary.Scenarios))
	}
	return nil
}

// stoppedFeatures returns the error of a run that a signal has stopped.
func stoppedFeatures(ctx context.Context, last runner.Progress) error {
	if last.Total == 0 {
		return command.Stoppedf(ctx, " before the first scenario ended: no report was written")
	}
	return command.Stoppedf(ctx, " after %s of %s scenarios, %s failed: no report was written", thousands.Group(last.Done),
		thousands.Group(last.Total), thousands.Group(last.Failed))
}

// featuresError returns the error of a run, which is a usage error if the run could not start as requested.
func featuresError(o features.Options, err error) error {
	var noTarget *runner.TargetError
	var selection *runner.SelectionError
	switch {
	case errors.As(err, &noTarget):
		return command.Usagef("--target %s: %v", o.Target, noTarget)
	case errors.Is(err, runner.ErrNoScenario):
		return command.Usagef("--tags: %v: see features/catalog for the IDs", err)
	case errors.As(err, &selection) && slices.Contains([]string{"tags", "name"}, selection.By):
		return command.Usagef("--%s: %v", selection.By, selection)
	case errors.As(err, &selection):
		return command.Usagef("%v", selection)
	}
	return err
}

func printFeatures(w io.Writer, s features.Summary, again rerun) {
	printFailed(w, s, again)
	if s.Selection.IsAll() {
		printMatrix(w, s.Matrix)
	}
	printReports(w, s.Files)
	verdict := "PASS"
	if s.Count(report.Failed) > 0 {
		verdict = "FAIL"
	}
	_, _ = fmt.Fprintf(w, "%s  %s: %s passed, %s failed, %s known differences, %s not applicable in %v\n", verdict, s.Target,
		thousands.Group(s.Count(report.Passed)), thousands.Group(s.Count(report.Failed)),
		thousands.Group(s.Count(report.KnownDifference)), thousands.Group(s.Count(report.NotApplicable)),
		s.Elapsed.Round(100*time.Millisecond))
}

// printMatrix prints one row per system with the number of requirements that pass, by kind. Below the rows
// it lists the requirements that no scenario covers.
func printMatrix(w io.Writer, m report.Matrix) {
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	_, _ = fmt.Fprintln(t, "\tpatterns\trules\toperation\tdefects\tby load profiles")
	for _, g := range m.Groups() {
		_, _ = fmt.Fprintf(t, "%s, %s", g.Name, g.ID)
		for _, kind := range []catalog.Kind{catalog.Pattern, catalog.Rule, catalog.Ops, catalog.Defect} {
			_, _ = fmt.Fprintf(t, "\t%s", tallyText(g.Tally(0, string(kind))))
		}
		_, _ = fmt.Fprintf(t, "\t%s\n", countOrDash(g.Tally(0, string(catalog.Load), string(catalog.Cost)).Total))
	}
	_ = t.Flush()
	var holes []string
	for _, hole := range m.Uncovered() {
		if !hole.ByLoad {
			holes = append(holes, hole.ID)
		}
	}
	if len(holes) == 0 {
		_, _ = fmt.Fprintf(w, "Coverage complete: scenarios cover every requirement, with all %s clauses.\n",
			countOrDash(m.Clauses()))
		return
	}
	_, _ = fmt.Fprintf(w, "COVERAGE INCOMPLETE: no scenario has the tags %s\n", strings.Join(holes, ", "))
}

// tallyText returns the number of requirements that pass, and the reasons of the others.
func tallyText(t report.Tally) string {
	text := countOrDash(t.Total)
	if t.Passed < t.Total {
		text = thousands.Sprintf("%d of %d", t.Passed, t.Total)
	}
	for _, part := range []struct {
		n    int
		what string
	}{{t.Failed, "failed"}, {t.KnownDifferences, "known to differ"}, {t.NotApplicable, "not applicable"},
		{t.NoResult, "not run"}} {
		if part.n > 0 {
			text += thousands.Sprintf(", %d %s", part.n, part.what)
		}
	}
	return text
}

func countOrDash(n int) string {
	if n == 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

// printReports prints the path of the page for people, followed by the names of the machine-readable reports beside it.
func printReports(w io.Writer, files []string) {
	if len(files) == 0 {
		return
	}
	_, _ = fmt.Fprintln(w, "Report ", files[0])
	var beside []string
	for _, file := range files[1:] {
		beside = append(beside, filepath.Base(file))
	}
	if len(beside) > 0 {
		_, _ = fmt.Fprintln(w, "        also in that folder:", strings.Join(beside, ", "))
	}
}
