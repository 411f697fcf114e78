package cli

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/backend/jobs"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/util/indented"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/simulators/live"
)

func newJob() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "job",
		Short: "Run maintenance jobs on the backends' tables",
		Long: `Run maintenance jobs on the backends' tables and on the containers of the notification system. A job can be stopped
at any time and run in several processes at once. When it is started again, it resumes where it stopped.`,
		Example: `  tabletop job cleanup --dry-run
  tabletop job reminders --push-url http://127.0.0.1:8090
  tabletop job restore-drill --table photoeditor-dev-device-tokens --json`,
		Args: command.OnlySubcommands,
		RunE: command.ShowHelp,
	}
	cmd.AddCommand(newJobAuditRetention(), newJobBackfill(), newJobCleanup(), newJobCleanupDevices(), newJobExpire(),
		newJobNotifications(), newJobReminders(), newJobRestoreDrill(), newJobTable())
	for _, job := range cmd.Commands() {
		command.WithVerdict(job)
	}
	return cmd
}

// jobFlags holds the flags for where a job runs.
type jobFlags struct {
	target targetFlags
	prefix string
	json   bool
}

func (f *jobFlags) bind(flags *pflag.FlagSet) {
	f.target.bindRunning(flags)
	flags.StringVar(&f.prefix, "prefix", "", "Prefix of table names.")
	flags.BoolVar(&f.json, "json", false, "Print the summary as JSON, like --output json.")
	command.BindOutput(flags, &f.json)
}

// open opens the target.
func (f *jobFlags) open(cmd *cobra.Command) (*jobEnv, error) {
	if err := f.target.checkRunning(); err != nil {
		return nil, err
	}
	if err := checkPrefix(f.prefix); err != nil {
		return nil, err
	}
	t, err := f.target.open(cmd.Context(), command.Logger(cmd))
	if err != nil {
		return nil, err
	}
	// Do not close the target: that would look for the run's own tables, which a job never creates and which its role
	// may not list.
	return &jobEnv{aws: t.Config, prefix: f.prefix, jobClock: databaseClock(cmd.Context(), t.Endpoint)}, nil
}

// jobEnv is where a job runs, and the clock it uses.
type jobEnv struct {
	aws    aws.Config
	prefix string
	*jobClock
}

func (p *jobEnv) client() *dynamodb.Client { return dynamodb.NewFromConfig(p.aws) }

// runFlags holds the flags of a job that is split into segments.
type runFlags struct {
	jobFlags
	segments, workers int
	lease             time.Duration
	remember          time.Duration // no flag: how long a finished run is not repeated; 0: an hour
	restart, dryRun   bool
}

func (f *runFlags) bind(flags *pflag.FlagSet) {
	f.jobFlags.bind(flags)
	f.segments = 1 // or the job's own number of segments
	flags.IntVar(&f.workers, "workers", 4, "Number of segments to process in parallel, 1 to 64.")
	flags.DurationVar(&f.lease, "lease", time.Minute,
		"Lease duration of a segment. A segment whose process stops responding is taken over after this time.")
	flags.BoolVar(&f.restart, "restart", false,
		"Start a new run even if the latest run is unfinished or finished less than an hour ago.")
}

// bindScan binds the flags of a job over the segments of a table's Scan.
func (f *runFlags) bindScan(flags *pflag.FlagSet) {
	f.bind(flags)
	flags.IntVar(&f.segments, "segments", 4, "Number of segments of a new run, 1 to 1000.")
	flags.BoolVar(&f.dryRun, "dry-run", false, "Count the changes without making them.")
}

// run runs a job to its end and prints its summary.
func (f *runFlags) run(cmd *cobra.Command, newJob func(*jobEnv) jobs.Job) error {
	s, err := f.runJob(cmd, newJob)
	if err != nil {
		return err
	}
	return f.print(cmd.OutOrStdout(), s, func(w io.Writer) error { return writeSummary(w, s) })
}

// runJob runs a job to its end while showing its progress.
func (f *runFlags) runJob(cmd *cobra.Command, newJob func(*jobEnv) jobs.Job) (s jobs.Summary, err error) {
	if f.segments < 1 || f.segments > 1000 || f.workers < 1 || f.workers > 64 || f.lease < time.Second {
		return s, command.Usagef("value out of range: use --segments 1 to 1000, --workers 1 to 64 and --lease 1s or more")
	}
	p, err := f.open(cmd)
	if err != nil {
		return s, err
	}
	if !f.dryRun {
		if err := jobs.Ensure(cmd.Context(), p.client(), p.prefix); err != nil {
			return s, err
		}
	}
	line := live.New(cmd.ErrOrStderr())
	s, err = jobs.New(jobs.Config{
		Client: p.client(), TablePrefix: p.prefix, Now: p.now, LeaseDuration: f.lease, Workers: f.workers, Restart: f.restart,
		DryRun: f.dryRun, RepeatAfter: f.remember,
		Logger: command.Logger(cmd), Progress: func(at jobs.Progress) { line.Set(progressLine(at), time.Now()) },
	}).Run(cmd.Context(), newJob(p))
	line.Done()
	if cmd.Context().Err() != nil {
		return s, command.Stoppedf(cmd.Context(), ": run %s again to resume", cmp.Or(s.Job, cmd.CommandPath()))
	}
	return s, err
}

// print prints a summary as text or as JSON.
func (f *jobFlags) print(w io.Writer, summary any, text func(io.Writer) error) error {
	return printAs(w, f.json, summary, text)
}

func printAs(w io.Writer, asJSON bool, summary any, text func(io.Writer) error) error {
	if !asJSON {
		return text(w)
	}
	return indented.WriteJSON(w, summary)
}

func progressLine(p jobs.Progress) string {
	return thousands.Sprintf("%s  %d of %d segments%s", p.Job, p.Done, p.Segments, countsText(p.Counts))
}

func countsText(counts map[string]int64) string {
	text := ""
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		text += thousands.Sprintf("  %d %s", counts[name], name)
	}
	return text
}

func writeSummary(w io.Writer, s jobs.Summary) error {
	state := "done"
	switch {
	case s.DryRun:
		state = "dry run, no changes made"
	case s.AlreadyFinished:
		state = "already done; use --restart to run it again"
	case s.Resumed:
		state = "done, after resuming an earlier run"
	}
	_, err := fmt.Fprintf(w, "%s: %s\n", s.Job, state)
	for _, name := range slices.Sorted(maps.Keys(s.Parameters)) {
		_, _ = fmt.Fprintf(w, "%-10s %s\n", name, s.Parameters[name])
	}
	_, _ = fmt.Fprintf(w, "%-10s %s\n%-10s %s\n", "started", s.StartedAt, "finished", s.FinishedAt)
	for _, name := range slices.Sorted(maps.Keys(s.Counts)) {
		_, _ = thousands.Fprintf(w, "%-10s %d\n", name, s.Counts[name])
	}
	return err
}
