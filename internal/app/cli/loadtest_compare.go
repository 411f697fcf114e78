package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/features/targets"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/loadtest"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/report"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

func newLoadtestCompare() *cobra.Command {
	var f loadFlags
	var names []string
	cmd := &cobra.Command{
		Use:   "compare [PROFILE... | RUN RUN...]",
		Short: "Compare load profiles on several targets, or the results of earlier runs",
		Long: `Run load profiles on one target after another with the same seed, and compare latency, throughput, capacity units and
verdicts: as text, and as HTML and Markdown in the report folder. Default: all load profiles.

With two or more RUNs, compare the results of earlier runs, and run nothing. A RUN is the report folder of tabletop
loadtest run, or the JSON file in it.

The last line is FAIL, and the exit status is 1, if a limit fails on one of the targets, if no load profile ran on one,
or if a load profile failed to run on a target that has its database. Of earlier runs, the first is what the others are
compared with, and its failed limits do not count. A figure without a limit never fails: two single runs do not show
whether a difference is noise. To find slower commits, use tabletop loadtest trend --baseline.`,
		Example: `  tabletop loadtest compare PE-L2 TL-L1 --duration 15s
  tabletop loadtest compare --targets embedded,dynamodb-local --rate-scale 0.1 --duration 10s
  tabletop loadtest compare reports/before reports/after
  tabletop loadtest compare VR-L1 --targets embedded,url=http://127.0.0.1:8000`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if areRuns(args) {
				return f.compareRuns(cmd, args)
			}
			profiles, err := loadtest.Find(args...)
			if err != nil {
				return command.Usagef("%v", err)
			}
			return f.compare(cmd, profiles, names)
		},
	}
	f.bind(cmd.Flags())
	cmd.Flags().StringSliceVar(&names, "targets", []string{string(targets.Embedded), string(targets.DynamoDBLocal)},
		"Targets to compare, separated by commas: embedded, url=http://HOST:PORT, alternator=http://HOST:PORT, "+
			"dynamodb-local, aws, cosmos=https://HOST:PORT, azure.")
	cmd.Flags().StringVar(&f.target.image, "image", "",
		"Container image of the target dynamodb-local. Default: amazon/dynamodb-local.")
	cmd.Flags().BoolVar(&f.target.yesSpend, "yes-spend", false, "Confirm that the targets aws and azure may cost money.")
	offerLoadTargets(cmd, "targets")
	command.OfferArgumentsOrFiles(cmd, offeredProfiles)
	return cmd
}

// checkTargets opens each target and closes it again, so that an unusable one is refused before any profile has run.
func (f *loadFlags) checkTargets(cmd *cobra.Command, names []string) error {
	for _, name := range names {
		spec, err := targets.Parse(name)
		if err != nil {
			return command.Usagef("--targets: %v", err)
		}
		t, err := spec.Open(cmd.Context(), f.target.options(command.Logger(cmd)))
		if err != nil {
			return command.Usagef("--targets %s: %v", name, err)
		}
		if err := t.Close(); err != nil {
			return err
		}
	}
	return nil
}

// compare runs the profiles on each target and writes one report that compares the targets.
func (f *loadFlags) compare(cmd *cobra.Command, profiles []profile.Profile, names []string) error {
	if len(names) < 2 || len(slices.Compact(slices.Sorted(slices.Values(names)))) < len(names) {
		return command.Usagef("--targets %s: use at least two different targets, such as embedded,dynamodb-local",
			strings.Join(names, ","))
	}
	if err := f.checkTargets(cmd, names); err != nil {
		return err
	}
	if f.seed == 0 {
		f.seed = 1 // the same requests on each
	}
	var all []*result.Report
	var compared, notes []string
	var incomplete error // why there is nothing to compare for a target or a profile that it supports
	for _, name := range names {
		f.target.name = name
		reports, err := f.runAll(cmd, profiles, func(p profile.Profile, err error) {
			notes = append(notes, fmt.Sprintf("%s was not run on %s: %v", p.ID, name, err))
			if !errors.As(err, new(missingDatabaseError)) {
				incomplete = fmt.Errorf("not everything was compared: %s failed to run on %s; see the report", p.ID, name)
			}
		})
		if err != nil {
			return fmt.Errorf("on %s: %w", name, err)
		}
		all = append(all, reports...)
		if len(reports) > 0 {
			compared = append(compared, reports[0].Target)
		} else {
			incomplete = fmt.Errorf("nothing was compared: no load profile ran on %s; see the report", name)
		}
	}
	c := report.Compare(all, compared)
	c.Notes = notes
	if _, err := report.WriteFiles(f.out, all); err != nil {
		return err
	}
	return f.writeComparison(cmd, c, all, incomplete)
}
