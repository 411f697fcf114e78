package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/features/targets"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/loadtest"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/report"
	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/loadtest/verdict"
)

// loadFlags holds the flags for what to load-test and how hard.
type loadFlags struct {
	target     targetFlags
	backendURL string
	adminToken string
	duration   time.Duration
	scale      float64
	seed       uint64
	tries      int
	shared     bool // missed latency limits do not fail the run: the machine has other work
	out        string
	history    string // a file to which each run is added; empty: none
	commit     string // the commit of the code, as the history names it
	export     string // a folder for the formats of other tools; empty: none
	all        bool   // no flag: no profiles named; skip those the target cannot run
}

func (f *loadFlags) bind(flags *pflag.FlagSet) {
	flags.DurationVar(&f.duration, "duration", 0, "squeeze each profile into this time; without it as documented")
	flags.Float64Var(&f.scale, "rate-scale", 1, "multiply rates and populations by this")
	flags.Uint64Var(&f.seed, "seed", 0, "the same seed makes the same requests; without it by the clock")
	flags.StringVar(&f.out, "report", "reports/loadtest", "folder for the reports")
}

func (f *loadFlags) bindBackend(flags *pflag.FlagSet) {
	flags.StringVar(&f.backendURL, "backend", "", "address of a backend that runs already, in place of --target; needs --admin-token")
	flags.StringVar(&f.adminToken, "admin-token", "", "token of the admin routes of --backend")
}

func newLoadtestRun() *cobra.Command {
	var f loadFlags
	cmd := &cobra.Command{
		Use:   "run [PROFILE…]",
		Short: "Run load profiles, with a verdict for each documented rate",
		Long: `Run load profiles, all of them unless some are named, against the backend on a target, and write the report as HTML
and JSON. A profile is the id of a built-in one, the id of a catalogue entry that one decides, or a .yaml file. A missed
limit makes the exit status 1.`,
		Example: `  tabletop loadtest run
  tabletop loadtest run TL-L1 TL-L2 --duration 30s
  tabletop loadtest run --target dynamodb-local --rate-scale 0.1
  tabletop loadtest run PE-L2 --export exports && vegeta report exports/PE-L2.vegeta
  tabletop loadtest run TL-L1 --duration 30s --history history.jsonl
  tabletop loadtest run --backend http://127.0.0.1:8080 --admin-token "$TOKEN" TL-L1`,
		RunE: func(cmd *cobra.Command, args []string) error {
			profiles, err := loadtest.Find(args...)
			if err != nil {
				return command.Usagef("%v", err)
			}
			if f.tries < 1 {
				return command.Usagef("--tries %d: give how often a profile may run, at least 1", f.tries)
			}
			if f.commit == "" && f.history != "" {
				if f.commit = commit(cmd.Context()); f.commit == "" {
					return command.Usagef("--history needs --commit: neither this program nor this folder names one")
				}
			}
			f.all = len(args) == 0
			return f.run(cmd, profiles)
		},
	}
	f.target.bind(cmd.Flags(), string(targets.Embedded))
	f.bindBackend(cmd.Flags())
	f.bind(cmd.Flags())
	cmd.Flags().StringVar(&f.history, "history", "", "file to add a summary of each run to, for tabletop loadtest trend")
	cmd.Flags().StringVar(&f.commit, "commit", "", "what the history calls the code that runs; without it the commit of the program or of this folder")
	cmd.Flags().StringVar(&f.export, "export", "", "folder for latencies as HdrHistogram's .hgrm and .hlog, and results as Vegeta's, which vegeta report and plot read")
	cmd.Flags().IntVar(&f.tries, "tries", 1, "run a profile again, up to this often in all, while it misses nothing but latency or rate, as it may on a busy machine")
	cmd.Flags().BoolVar(&f.shared, "shared-machine", false, "show limits in milliseconds that are missed, and do not fail by them: a machine that does other work too decides no milliseconds, but every other limit")
	return cmd
}

// check rejects flags that no run can satisfy.
func (f *loadFlags) check() error {
	if f.duration < 0 || f.scale <= 0 {
		return command.Usagef("--duration cannot be negative and --rate-scale must be more than 0")
	}
	if f.backendURL != "" && f.adminToken == "" {
		return command.Usagef("--backend needs --admin-token, to make the run's API keys")
	}
	return nil
}

func (f *loadFlags) run(cmd *cobra.Command, profiles []profile.Profile) error {
	reports, err := f.runAll(cmd, profiles, func(p profile.Profile, err error) error { return fmt.Errorf("%s: %w", p.ID, err) })
	if err != nil {
		return err
	}
	page, err := report.WriteFiles(f.out, reports)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintln(cmd.OutOrStdout(), "Report ", page)
	return f.missed(reports)
}

// runAll runs profiles one after the other in one arena. failed decides whether to continue after a profile that cannot
// run.
func (f *loadFlags) runAll(cmd *cobra.Command, profiles []profile.Profile, failed func(profile.Profile, error) error) (reports []*result.Report, err error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	a, err := f.openArena(cmd)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	for _, p := range profiles {
		if reason := a.lacks(p); reason != "" && f.all {
			_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "%s is left out: %s\n", p.ID, reason)
			continue
		}
		r, err := a.attempt(p, a.over)
		if err != nil {
			if err = failed(p, err); err != nil {
				return nil, err
			}
			continue
		}
		reports = append(reports, r)
	}
	return reports, nil
}

// missed returns the error of a run that missed a limit, or nil.
func (f *loadFlags) missed(reports []*result.Report) error {
	n := 0
	for _, r := range reports {
		for _, v := range r.Failed() {
			if !f.shared || !verdict.InMilliseconds(v) {
				n++
			}
		}
	}
	if n == 0 {
		return nil
	}
	return fmt.Errorf("limits missed: %d; the report shows which", n)
}
