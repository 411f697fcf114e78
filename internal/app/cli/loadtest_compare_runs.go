package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/loadtest/report"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// areRuns reports whether the arguments of loadtest compare are results of earlier runs: report folders, or the JSON
// files in them.
func areRuns(args []string) bool {
	return len(args) > 0 && !slices.ContainsFunc(args, func(arg string) bool { return runFile(arg) == "" })
}

// runFile returns the JSON file of a run, or "" if the argument is neither that file nor its folder.
func runFile(arg string) string {
	info, err := os.Stat(arg)
	switch {
	case err != nil:
		return ""
	case info.IsDir():
		return filepath.Join(arg, report.JSONName)
	case filepath.Ext(arg) == ".json":
		return arg
	}
	return ""
}

// compareRuns compares the results of earlier runs, which are named by their arguments instead of their targets.
func (f *loadFlags) compareRuns(cmd *cobra.Command, args []string) error {
	if len(args) < 2 || len(slices.Compact(slices.Sorted(slices.Values(args)))) < len(args) {
		return command.Usagef("%s compares at least two different runs: name two report folders", cmd.CommandPath())
	}
	runs := make([][]*result.Report, len(args))
	for i, arg := range args {
		var err error
		if runs[i], err = readRun(arg); err != nil {
			return command.Usagef("%v: use a report folder of tabletop loadtest run", err)
		}
	}
	nameTargets(runs)
	var all, later []*result.Report
	var incomplete error
	for i, arg := range args {
		reports := runs[i]
		for _, r := range reports {
			r.Target = arg
		}
		all = append(all, reports...)
		if len(reports) == 0 {
			incomplete = fmt.Errorf("nothing was compared: %s has no load profile", arg)
		}
		if i > 0 {
			later = append(later, reports...)
		}
	}
	return f.writeComparison(cmd, report.Compare(all, args), later, incomplete)
}

// nameTargets adds the target to the id of each profile that one of the runs has on several targets, so that only
// results on the same target are compared.
func nameTargets(runs [][]*result.Report) {
	several := map[string]bool{}
	for _, reports := range runs {
		seen := map[string]bool{}
		for _, r := range reports {
			several[r.Profile.ID] = several[r.Profile.ID] || seen[r.Profile.ID]
			seen[r.Profile.ID] = true
		}
	}
	for _, r := range slices.Concat(runs...) {
		if several[r.Profile.ID] {
			r.Profile.ID += " on " + r.Target
		}
	}
}

// readRun reads the results of a run.
func readRun(arg string) ([]*result.Report, error) {
	file, err := os.Open(runFile(arg))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reports, err := result.ReadJSON(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", arg, err)
	}
	return reports, nil
}

// writeComparison prints a comparison and writes its page. The last line is the verdict on the limits of the decisive
// reports. incomplete states what is missing in the comparison, if anything. Errors: one of these limits failed, or
// something is missing.
func (f *loadFlags) writeComparison(cmd *cobra.Command, c report.Comparison, decisive []*result.Report,
	incomplete error) error {
	page, err := report.WriteComparison(f.out, c)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintln(cmd.OutOrStdout())
	if err := c.WriteText(cmd.OutOrStdout()); err != nil {
		return err
	}
	_, _ = fmt.Fprintln(cmd.OutOrStdout(), "Report ", page)
	err = cmp.Or(incomplete, failedError(decisive))
	_, _ = fmt.Fprintln(cmd.OutOrStdout(), verdictLine(decisive, err))
	return err
}
