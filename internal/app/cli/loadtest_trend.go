package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os/exec"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/util/version"
	"github.com/tabletop-db/tabletop/loadtest/history"
)

// trendFlags holds the flags for what part of a history to show, and what to compare it with.
type trendFlags struct {
	file      string
	baseline  string
	tolerance float64
	json      bool
}

func newLoadtestTrend() *cobra.Command {
	var f trendFlags
	cmd := &cobra.Command{
		Use:   "trend [PROFILE...]",
		Short: "Show how the results of load profiles changed over commits",
		Long: `Show how rate, latency, capacity units and cost of load profiles changed over the commits of a history, which tabletop
loadtest run --history writes. Default: all load profiles in the history. Only runs with the same target, duration, rate
and machine are compared; for the others the reason is printed.

With --baseline, compare the last commit with an earlier one. The exit status is 1 if a figure is worse by more than
--tolerance, unless the results of the two commits overlap. Record at least three runs of each commit to distinguish
noise from a change.`,
		Example: `  tabletop loadtest trend --history history.jsonl
  tabletop loadtest trend TL-L1 PE-L2 --history history.jsonl
  tabletop loadtest trend --history history.jsonl --baseline 53fc355 --tolerance 0.3`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.file == "":
				return command.Usagef("no history: set --history to a file written by tabletop loadtest run --history FILE")
			case !(f.tolerance >= 0) || math.IsInf(f.tolerance, 1):
				return command.Usagef("--tolerance %v is out of range: use 0 or more, such as 0.2 for 20 percent", f.tolerance)
			}
			entries, incomplete, err := history.ReadFile(f.file)
			if err != nil {
				return command.Usagef("%v", err)
			}
			for _, line := range incomplete {
				_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "%s: line %d skipped: the run was not written completely\n", f.file, line)
			}
			if len(entries) == 0 {
				return command.Usagef("%s has no runs: add some with tabletop loadtest run --history %s", f.file, f.file)
			}
			trends, err := history.Trends(entries, args...)
			if err != nil {
				return command.Usagef("%v", err)
			}
			return f.show(cmd.OutOrStdout(), trends)
		},
	}
	cmd.Flags().StringVar(&f.file, "history", "", "History file, written by tabletop loadtest run --history. Required.")
	cmd.Flags().StringVar(&f.baseline, "baseline", "",
		"Commit to compare the last commit with. A prefix of its ID is enough.")
	command.BindOutput(cmd.Flags(), &f.json)
	cmd.Flags().Float64Var(&f.tolerance, "tolerance", 0.2,
		"How much worse than the baseline a figure may be, as a fraction: 0.2 is 20 percent.")
	return cmd
}

// comparedTrend is a trend with what changed since the baseline.
type comparedTrend struct {
	history.Trend
	Changes     []history.Change `json:"changes,omitempty"`
	NotCompared string           `json:"not_compared,omitempty"` // the reason
}

// show prints the trends. Errors: a figure is worse than that of the baseline, or nothing could be compared with it.
func (f *trendFlags) show(out io.Writer, trends []history.Trend) error {
	all := make([]comparedTrend, len(trends))
	for i, t := range trends {
		all[i].Trend = t
		if f.baseline != "" {
			all[i].Changes, all[i].NotCompared = t.Against(f.baseline, f.tolerance)
		}
	}
	if err := printAs(out, f.json, all, func(w io.Writer) error { return writeTrends(w, all) }); err != nil {
		return err
	}
	return f.outcome(all)
}

func writeTrends(out io.Writer, all []comparedTrend) error {
	for _, t := range all {
		if err := t.WriteText(out); err != nil {
			return err
		}
		if t.NotCompared != "" {
			_, _ = fmt.Fprintf(out, "  not compared with the baseline: %s\n", t.NotCompared)
			continue
		}
		showChanges(out, t.Changes)
	}
	return nil
}

// outcome returns an error if a figure is worse than that of the baseline, or none could be compared with it.
func (f *trendFlags) outcome(all []comparedTrend) error {
	worse, compared := 0, 0
	for _, t := range all {
		if t.NotCompared == "" {
			compared++
		}
		for _, c := range t.Changes {
			if c.Worse {
				worse++
			}
		}
	}
	switch {
	case worse > 0:
		return fmt.Errorf("%d figures are worse than those of %s by more than %.4g%%", worse, f.baseline, 100*f.tolerance)
	case f.baseline != "" && compared == 0:
		return errors.New("no runs could be compared with " + f.baseline)
	}
	return nil
}

// showChanges prints the notable changes.
func showChanges(out io.Writer, changes []history.Change) {
	for _, c := range changes {
		switch {
		case c.Worse:
			_, _ = fmt.Fprintf(out, "  WORSE %s\n", c)
		case c.Noise:
			_, _ = fmt.Fprintf(out, "  %s\n", c)
		}
	}
}

// currentCommit returns the identifier of the code that runs: the commit that the program was built from or, if the
// build does not record one, the commit of the current folder. It ends with -dirty if there are uncommitted changes.
// For a released program it is the version; it is "" if nothing is known.
func currentCommit(ctx context.Context) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		if id := buildCommit(info.Settings); id != "" {
			return id
		}
	}
	if out, err := exec.CommandContext(ctx, "git", "describe", "--always", "--dirty", "--abbrev=12",
		"--exclude=*").Output(); err == nil {
		return strings.TrimSpace(string(out))
	}
	if v := version.Current(); v != version.Development {
		return v
	}
	return ""
}

// buildCommit returns the commit recorded in a build, or "" if there is none.
func buildCommit(settings []debug.BuildSetting) (id string) {
	dirty := ""
	for _, s := range settings {
		switch {
		case s.Key == "vcs.revision":
			id = s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "-dirty"
		}
	}
	if id == "" {
		return ""
	}
	return id + dirty
}
