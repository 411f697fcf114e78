package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/features/targets"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/loadtest"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/report"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

func newLoadtestSaturate() *cobra.Command {
	f := loadFlags{duration: 10 * time.Second, scale: 1, tries: 2, out: filepath.Join("reports", "loadtest")}
	steps := 9
	cmd := &cobra.Command{
		Use:   "saturate PROFILE",
		Short: "Find the highest rate at which a target meets a load profile's limits",
		Long: `Run the busiest stage of a load profile at its documented rate, and double the rate until a limit on latency, rate or
errors fails; then search between the highest rate that passed and the lowest that failed. If the documented rate
already fails, the rate is reduced first. Above the documented rate the population does not grow.

The result is printed and written to saturation-PROFILE.json in the report folder. The exit status is 0 even if limits
fail.`,
		Example: `  tabletop loadtest saturate TL-L1
  tabletop loadtest saturate TL-L2 --duration 30s --steps 12
  tabletop loadtest saturate KF-L3 --target dynamodb-local`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return command.Usagef("%s takes one load profile: see %s --help", cmd.CommandPath(), cmd.CommandPath())
			}
			profiles, err := loadtest.Find(args...)
			if err != nil {
				return command.Usagef("%v", err)
			}
			if len(profiles) != 1 {
				return command.Usagef("%s is verified by %d load profiles: use the ID of one of them", args[0], len(profiles))
			}
			if steps < 1 || f.tries < 1 || f.duration <= 0 {
				return command.Usagef("--steps %d --tries %d --duration %v: all three must be greater than 0", steps,
					f.tries, f.duration)
			}
			return f.saturate(cmd, profiles[0], steps)
		},
	}
	flags := cmd.Flags()
	f.strict = true // each step is shortened, and judged by its latency and rate
	f.target.bind(flags, string(targets.Embedded))
	f.bindBackend(flags)
	flags.DurationVar(&f.duration, "duration", f.duration, "Duration of each step.")
	flags.IntVar(&steps, "steps", steps, "Maximum number of steps.")
	flags.IntVar(&f.tries, "tries", f.tries, "Maximum number of runs of a step that fails only latency or rate limits.")
	flags.Uint64Var(&f.seed, "seed", 0, "Random seed. The same seed generates the same requests. Default: the current time.")
	flags.StringVar(&f.out, "report", f.out, "Folder for the report.")
	offerLoadTargets(cmd, "target")
	command.OfferArgumentsOrFiles(cmd, offeredProfiles)
	return cmd
}

func (f *loadFlags) saturate(cmd *cobra.Command, p profile.Profile, steps int) (err error) {
	if err := f.check(); err != nil {
		return err
	}
	b, err := f.openTestbed(cmd)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	out := cmd.OutOrStdout()
	run := func(at profile.Profile, scale float64) (*result.Report, error) {
		if scale == 1 {
			_, _ = fmt.Fprintf(out, "%s  %s, %v per step\n%10s %12s %12s %8s %9s %9s\n",
				p.ID, p.Title, f.duration, "rate scale", "requests/s", "responses/s", "errors", "p50 ms", "p99 ms")
		}
		return b.runWithRetries(at, func(*result.Report) error { return nil })
	}
	ended := 0
	found, err := loadtest.Saturate(p, steps, run, func(s loadtest.SaturationStep) {
		ended++
		_, _ = fmt.Fprintln(out, saturationLine(s))
	})
	if err != nil && cmd.Context().Err() != nil {
		return command.Stoppedf(cmd.Context(), " after %s of %s: no report was written", count(int64(ended), "step"), p.ID)
	}
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintln(out, saturationSummary(found))
	file, err := report.WriteSaturation(f.out, found)
	if err == nil {
		_, _ = fmt.Fprintln(out, "Report ", file)
	}
	return err
}

func saturationLine(s loadtest.SaturationStep) string {
	outcome := "PASS"
	if len(s.Failed) > 0 {
		outcome = "FAIL " + failedLimits(s)
	}
	return fmt.Sprintf("%10.4g %12.1f %12.1f %8d %9.1f %9.1f  %s", s.Scale, s.Planned, s.Throughput, s.Errors,
		s.Latency.P50, s.Latency.P99, outcome)
}

func failedLimits(s loadtest.SaturationStep) string {
	var texts []string
	for _, v := range s.Failed {
		texts = append(texts, fmt.Sprintf("%s %s, %s", v.Name(), v.Measured, v.Limit))
	}
	return strings.Join(texts, "; ")
}

func saturationSummary(s *loadtest.Saturation) string {
	switch {
	case s.Passed == nil:
		return fmt.Sprintf("%s sustained no tested rate; the lowest was %.1f requests/s", s.Target, s.Failed.Planned)
	case s.Failed == nil:
		return fmt.Sprintf("%s sustained %.1f requests/s, the highest tested rate; use more --steps to test higher rates",
			s.Target, s.Passed.Planned)
	}
	return fmt.Sprintf("%s sustained %.1f requests/s, %.4g times the documented rate; at %.1f requests/s it failed %s",
		s.Target, s.Passed.Planned, s.Passed.Scale, s.Failed.Planned, failedLimits(*s.Failed))
}
