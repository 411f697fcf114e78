package cli

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/emulator/invariants"
	"github.com/tabletop-db/tabletop/features/targets"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/loadtest"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/report"
	"github.com/tabletop-db/tabletop/loadtest/result"
)

// loadFlags holds the flags for what to load-test and how hard.
type loadFlags struct {
	target        targetFlags
	backendURL    string
	adminToken    string
	duration      time.Duration
	scale         float64
	seed          uint64
	tries         int
	strict        bool // limits on latency and rate also fail a shortened run
	sharedMachine bool // failed latency limits do not fail the run: the machine also does other work
	out           string
	history       string // a file to which each run is added; empty: none
	commit        string // the commit of the code, as the history names it
	export        string // a folder for the formats of other tools; empty: none
	all           bool   // no flag: no profiles named; skip those the target cannot run
	record        string // a new file for the requests to the emulator of the only profile; empty: none
	progress      progressFormat
	otlpEndpoint  string // of a collector for the run's metrics; empty: that of the environment, if any

	shard shardFlags

	invariantsFile string // with invariants to check after each profile; empty: only those of its system
	invariants     *invariants.Set
}

func (f *loadFlags) bind(flags *pflag.FlagSet) {
	flags.DurationVar(&f.duration, "duration", 0,
		"Duration to compress each load profile to. Default: the documented duration.")
	flags.Float64Var(&f.scale, "rate-scale", 1, "Factor to multiply rates and populations by.")
	flags.Uint64Var(&f.seed, "seed", 0, "Random seed. The same seed generates the same requests. Default: the current time.")
	flags.StringVar(&f.out, "report", "reports/loadtest", "Folder for the reports.")
}

func (f *loadFlags) bindBackend(flags *pflag.FlagSet) {
	flags.StringVar(&f.backendURL, "backend", "",
		"URL of a running backend to use instead of --target. Requires --admin-token.")
	flags.StringVar(&f.adminToken, "admin-token", "", "Bearer token for the admin routes of --backend.")
}

func newLoadtestRun() *cobra.Command {
	var f loadFlags
	cmd := &cobra.Command{
		Use:   "run [PROFILE...]",
		Short: "Run load profiles on a target",
		Long: `Run load profiles against a backend on a target, and write a report as HTML and JSON with a verdict for each documented
limit. Default: all load profiles that the target supports. A PROFILE is the ID of a built-in load profile, the ID of a
catalogue entry that a load profile verifies, or a .yaml file. The exit status is 1 if a limit fails, or if a load
profile fails to run; the others are reported nevertheless.

After each load profile, the backend is stopped and the invariants of its rules are checked in the database, as well as
those of --invariants. One that is broken fails the run.

A run that is shortened, with --duration or --rate-scale, does not have the documented load: latency or rate over a
limit is then not measured, unless --strict is set. The last line names what was not measured.

With --shard, this process is one of several generators that send one run's requests together: of 8 shards, each sends
every eighth request, when it is due in the run. All shards use the same database and the folder --shard-dir. When all
have ended, tabletop loadtest merge adds their measurements and decides the limits. Shard 1 alone reads what the
database counts for all of them: heat, stored data and broken invariants.`,
		Example: `  tabletop loadtest run
  tabletop loadtest run TL-L1 TL-L2 --duration 30s
  tabletop loadtest run --target dynamodb-local --rate-scale 0.1
  tabletop loadtest run PE-L2 --export exports && vegeta report exports/PE-L2.vegeta
  tabletop loadtest run TL-L1 --duration 30s --history history.jsonl
  tabletop loadtest run TL-L1 --record requests.jsonl && tabletop advise requests.jsonl
  tabletop loadtest run KF-L3 --invariants invariants.yaml
  tabletop loadtest run TL-L1 --progress json
  tabletop loadtest run --otlp-endpoint http://127.0.0.1:4318
  tabletop loadtest run TL-L2 --target url=http://db:8000 --shard 3/8 --shard-dir /shared/run1
  tabletop loadtest run --backend http://127.0.0.1:8080 --admin-token "$TOKEN" TL-L1`,
		RunE: func(cmd *cobra.Command, args []string) error {
			profiles, err := loadtest.Find(args...)
			if err != nil {
				return command.Usagef("%v", err)
			}
			if f.tries < 1 {
				return command.Usagef("--tries %d is out of range: use 1 or more", f.tries)
			}
			if f.commit == "" && f.history != "" {
				if f.commit = currentCommit(cmd.Context()); f.commit == "" {
					return command.Usagef("--history requires --commit: no commit is recorded in this program, and the current folder is not a Git repository")
				}
			}
			if err := f.checkRecord(profiles); err != nil {
				return err
			}
			f.all = len(args) == 0
			if f.shard.text != "" {
				return f.runShard(cmd, profiles)
			}
			return f.run(cmd, profiles)
		},
	}
	f.bindRun(cmd.Flags())
	offerLoadTargets(cmd, "target")
	command.OfferArgumentsOrFiles(cmd, offeredProfiles)
	return cmd
}

// bindRun binds the flags of a run.
func (f *loadFlags) bindRun(flags *pflag.FlagSet) {
	f.target.bind(flags, string(targets.Embedded))
	f.bindBackend(flags)
	f.bind(flags)
	flags.StringVar(&f.history, "history", "",
		"File to append a summary of each run to, for tabletop loadtest trend.")
	flags.StringVar(&f.commit, "commit", "",
		"Commit to record in the history. Default: the commit of this program or "+
			"of the current folder.")
	flags.StringVar(&f.export, "export", "",
		"Folder for exports: latencies as HdrHistogram .hgrm and .hlog files, and "+
			"results for vegeta report and vegeta plot.")
	flags.StringVar(&f.record, "record", "",
		"New file to record the requests of the only PROFILE to, for tabletop advise and tabletop replay.")
	flags.StringVar(&f.invariantsFile, "invariants", "",
		"File of invariants to check after each load profile, besides those of the system's rules.")
	flags.IntVar(&f.tries, "tries", 1, "Maximum number of runs of a load profile that fails only latency or rate "+
		"limits, as can happen on a busy machine.")
	f.shard.bind(flags)
	f.progress.bind(flags)
	flags.StringVar(&f.otlpEndpoint, "otlp-endpoint", "", "URL of the OTLP/HTTP collector to send the run's metrics "+
		"to, such as http://127.0.0.1:4318. Also set by OTEL_EXPORTER_OTLP_ENDPOINT.")
	flags.BoolVar(&f.sharedMachine, "shared-machine", false,
		"Count latency over a limit as not measured, for a machine that also does other work. All other limits apply.")
	flags.BoolVar(&f.strict, "strict", false,
		"Fail for latency and rate also if the run is shortened, which otherwise counts them as not measured.")
}

// check rejects flags that no run can satisfy.
func (f *loadFlags) check() error {
	if f.duration < 0 || f.scale <= 0 {
		return command.Usagef("--duration must not be negative, and --rate-scale must be greater than 0")
	}
	if err := f.progress.check(); err != nil {
		return err
	}
	if err := f.readInvariants(); err != nil {
		return err
	}
	if f.backendURL != "" && f.adminToken == "" {
		return command.Usagef("--backend requires --admin-token, to create API keys for the run")
	}
	return nil
}

func (f *loadFlags) run(cmd *cobra.Command, profiles []profile.Profile) error {
	var failures []error
	reports, err := f.runAll(cmd, profiles, func(p profile.Profile, err error) {
		failures = append(failures, fmt.Errorf("%s: %w", p.ID, err))
	})
	failed := errors.Join(failures...)
	if len(reports) == 0 && (failed != nil || err != nil) {
		return errors.Join(failed, err)
	}
	if failed != nil {
		failed = fmt.Errorf("not every load profile ran: %s", command.OneLine(failed))
	}
	return writeReports(cmd, f.out, reports, errors.Join(failed, err))
}

// writeReports writes reports into a folder, and prints where they are and their verdict. incomplete states what is
// missing in them, if anything. Errors: a limit failed, or something is missing.
func writeReports(cmd *cobra.Command, folder string, reports []*result.Report, incomplete error) error {
	page, err := report.WriteFiles(folder, reports)
	if err != nil {
		return errors.Join(err, incomplete)
	}
	_, _ = fmt.Fprintln(cmd.OutOrStdout(), "Report ", page)
	err = cmp.Or(incomplete, failedError(reports))
	_, _ = fmt.Fprintln(cmd.OutOrStdout(), verdictLine(reports, err))
	return err
}

// verdictLine returns the last line of a run: PASS or FAIL, the number of limits by state, and what was not measured.
func verdictLine(reports []*result.Report, failed error) string {
	passed, missed := 0, 0
	var notMeasured []string
	for _, r := range reports {
		missed += len(r.Failed())
		for _, v := range r.Verdicts {
			switch {
			case v.State == result.Pass:
				passed++
			case v.State == result.NotMeasured || v.Undecided != "":
				notMeasured = append(notMeasured, v.Name()+" ("+v.ID+")")
			}
		}
	}
	verdict := "PASS"
	if failed != nil {
		verdict = "FAIL"
	}
	return thousands.Sprintf("%s  limits: %d passed, %d failed, %d not measured", verdict, passed, missed,
		len(notMeasured)) + firstNames(notMeasured)
}

// firstNames returns the first three names, as the end of a line.
func firstNames(names []string) string {
	const most = 3
	switch {
	case len(names) == 0:
		return ""
	case len(names) > most:
		return ": " + strings.Join(names[:most], ", ") + thousands.Sprintf(" and %d more", len(names)-most)
	}
	return ": " + strings.Join(names, ", ")
}

// runAll runs profiles one after another on one testbed. failed is called for each profile that fails to run.
func (f *loadFlags) runAll(cmd *cobra.Command, profiles []profile.Profile, failed func(profile.Profile,
	error)) (reports []*result.Report, err error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	metrics, err := startLoadMetrics(f.otlpEndpoint, command.Logger(cmd))
	if err != nil {
		return nil, err
	}
	defer metrics.close()
	b, err := f.openTestbed(cmd)
	if err != nil {
		return nil, err
	}
	b.metrics = metrics
	defer func() { err = errors.Join(err, b.close()) }()
	for _, p := range profiles {
		if reason := b.missingDatabase(p); reason != "" && f.all {
			_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "%s skipped: %s\n", p.ID, reason)
			continue
		}
		r, err := b.runWithRetries(p, b.record)
		if cmd.Context().Err() != nil {
			return nil, command.Stoppedf(cmd.Context(), " during %s: no report was written", p.ID)
		}
		if r != nil {
			reports = append(reports, r)
		}
		switch {
		case err != nil && r != nil: // the result could not be recorded, nor could others
			return reports, err
		case err != nil:
			failed(p, err)
		}
	}
	return reports, nil
}

// failedError returns the error of a run with failed limits, or nil.
func failedError(reports []*result.Report) error {
	n := 0
	for _, r := range reports {
		n += len(r.Failed())
	}
	if n == 0 {
		return nil
	}
	return fmt.Errorf("limits failed: %d; see the report", n)
}
