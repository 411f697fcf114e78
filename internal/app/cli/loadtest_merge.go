package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/loadtest"
	"github.com/tabletop-db/tabletop/loadtest/report"
	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/loadtest/shards"
	"github.com/tabletop-db/tabletop/loadtest/verdict"
)

// mergeFlags holds the flags of loadtest merge.
type mergeFlags struct {
	out                   string
	strict, sharedMachine bool
	wait                  time.Duration
}

func newLoadtestMerge() *cobra.Command {
	var f mergeFlags
	cmd := &cobra.Command{
		Use:   "merge FOLDER|FILE...",
		Short: "Merge the shards of a run into one report",
		Long: `Add what the shards of a run have measured, decide the limits, and write the report of the whole run, as
tabletop loadtest run does. Histograms and counts are added exactly: the figures are those of one generator that got the
same responses. An argument is the --shard-dir of a run, or a file that a shard wrote. The exit status is 1 if a limit
fails.`,
		Example: `  tabletop loadtest merge /shared/run1
  tabletop loadtest merge TL-L2.shard-1-of-2.json TL-L2.shard-2-of-2.json
  tabletop loadtest merge /shared/run1 --wait 30m --report /shared/run1/report`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.merge(cmd, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.out, "report", "reports/loadtest", "Folder for the reports.")
	flags.DurationVar(&f.wait, "wait", 0, "Maximum time to wait until all shards of each FOLDER have ended. Default: none.")
	flags.BoolVar(&f.sharedMachine, "shared-machine", false,
		"Count latency over a limit as not measured, for machines that also do other work. All other limits apply.")
	flags.BoolVar(&f.strict, "strict", false,
		"Fail for latency and rate also if the run is shortened, which otherwise counts them as not measured.")
	return cmd
}

func (f *mergeFlags) merge(cmd *cobra.Command, args []string) error {
	files, err := f.files(cmd, args)
	if err != nil {
		return command.Usagef("%v", err)
	}
	var order []string // profiles
	parts := map[string][]*loadtest.Measurements{}
	for _, name := range files {
		m, err := loadtest.ReadMeasurements(name)
		if err != nil {
			return command.Usagef("%v", err)
		}
		if parts[m.Profile.ID] == nil {
			order = append(order, m.Profile.ID)
		}
		parts[m.Profile.ID] = append(parts[m.Profile.ID], m)
	}
	var reports []*result.Report
	for _, id := range order {
		r, err := mergedReport(parts[id])
		if err != nil {
			return command.Usagef("%v", err)
		}
		verdict.MarkUndecided(r, f.strict, f.sharedMachine)
		if err := report.Text(cmd.OutOrStdout(), r); err != nil {
			return err
		}
		reports = append(reports, r)
	}
	return writeReports(cmd, f.out, reports, nil)
}

func mergedReport(parts []*loadtest.Measurements) (*result.Report, error) {
	sum, err := loadtest.Merge(parts)
	if err != nil {
		return nil, err
	}
	return sum.Report()
}

// files returns the files that the arguments name. It waits for the shards of folders.
func (f *mergeFlags) files(cmd *cobra.Command, args []string) (files []string, err error) {
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err == nil && !info.IsDir() || err != nil && f.wait == 0 { // the first shard may still create its folder
			files = append(files, arg)
			continue
		}
		if f.wait > 0 {
			if err := shards.AwaitEnd(cmd.Context(), shards.Config{Dir: arg, Wait: f.wait}); err != nil {
				return nil, err
			}
		}
		found, err := filepath.Glob(filepath.Join(arg, shards.Results))
		if err != nil || len(found) == 0 {
			return nil, fmt.Errorf("%s has no results of shards: name the --shard-dir of tabletop loadtest run", arg)
		}
		files = append(files, found...)
	}
	return files, nil
}
