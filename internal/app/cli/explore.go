package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/invariants"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/app/exploration"
	"github.com/tabletop-db/tabletop/internal/explore"
	"github.com/tabletop-db/tabletop/internal/explore/process"
	"github.com/tabletop-db/tabletop/internal/explore/setup"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/internal/util/version"
	"github.com/tabletop-db/tabletop/internal/util/wholefile"
	"github.com/tabletop-db/tabletop/simulators/live"
)

// exploreFlags holds the flags of tabletop explore.
type exploreFlags struct {
	settings      explore.Settings
	kinds         []string
	limit         time.Duration
	addr          string
	tables        string
	plan          string
	out           string
	baseline      string
	writeBaseline string
	invariants    string
}

func newExplore() *cobra.Command {
	var f exploreFlags
	cmd := &cobra.Command{
		Use:   "explore -- COMMAND",
		Short: "Find the mishaps that break a command's tests",
		Long: `Run a command, such as the tests of a project in any language, again and again, each time on an emulator of its own on
which something else goes wrong: a lost response, a throttle, a conflict, a batch that is partly unprocessed, a stale
read, a short page, a restart of the database. The command's requests decide what is tried next. A failure is repeated,
beside a run without mishaps, reduced to the fewest mishaps, reported and saved.

The command finds the emulator by AWS_ENDPOINT_URL_DYNAMODB, AZURE_COSMOS_ENDPOINT, AZURE_COSMOS_KEY and
AZURE_COSMOS_CONNECTION_STRING. Its requests to the real clouds are refused. It must create the tables that it uses,
unless --tables does.

The exit status is 1 if a mishap breaks the command. docs/explore.md has a complete example.`,
		Example: `  tabletop explore -- go test ./orders
  tabletop explore --for 2m --out build/explore -- pytest tests/test_orders.py
  tabletop explore --tables tables.yaml --kinds cut-after-commit -- npm test
  tabletop explore --plan 'cut-after-commit PutItem 1 orders' -- npm test
  tabletop explore --baseline known.txt -- mvn -q test`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return command.Usagef("%s takes a command: tabletop explore -- go test ./orders", cmd.CommandPath())
			}
			return f.run(cmd, args)
		},
	}
	flags := cmd.Flags()
	flags.DurationVar(&f.settings.For, "for", 5*time.Minute, "Time after which no further run begins; 0: no limit.")
	flags.IntVar(&f.settings.Runs, "runs", 0, "Maximum number of runs; 0: no limit.")
	flags.Uint64Var(&f.settings.Seed, "seed", 1, "Seed of the random combinations of mishaps.")
	flags.IntVar(&f.settings.Parallel, "parallel", runtime.GOMAXPROCS(0), "Number of runs at a time.")
	flags.DurationVar(&f.limit, "limit", time.Minute, "Time after which a run has failed.")
	flags.StringSliceVar(&f.kinds, "kinds", nil, "Kinds of mishaps to try, such as throttle,cut-after-commit. Default: all but expired-token.")
	flags.StringVar(&f.addr, "dynamodb-addr", "",
		"Address of DynamoDB, for a command with a fixed endpoint. Runs then follow each other. Default: a free port.")
	flags.StringVar(&f.tables, "tables", "", "YAML table file, whose tables each run finds.")
	flags.StringVar(&f.invariants, "invariants", "", "YAML file of invariants, which must hold after each run.")
	flags.StringVar(&f.plan, "plan", "", "Run only these mishaps, once, and show the command's output.")
	flags.StringVar(&f.out, "out", "reports/explore", "Folder for the report and the findings.")
	flags.StringVar(&f.baseline, "baseline", "", "File with known findings, which do not fail the command.")
	flags.StringVar(&f.writeBaseline, "write-baseline", "", "File to write all findings to, for --baseline.")
	return cmd
}

// run explores one command.
func (f *exploreFlags) run(cmd *cobra.Command, args []string) (err error) {
	known, err := f.check()
	if err != nil {
		return err
	}
	program, err := f.program(args)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, program.Close()) }()
	if f.plan != "" {
		return f.runPlan(cmd, program)
	}
	r := exploration.Report{Command: args, Flags: f.again(), Version: version.Current(), Started: time.Now(), Known: known}
	if r.Files, err = f.files(); err != nil {
		return err
	}
	line := live.New(cmd.ErrOrStderr())
	f.follow(cmd, line, &r, program)
	r.Result, err = explore.Search(cmd.Context(), program, f.settings)
	line.Done()
	r.Elapsed, r.Remarks = time.Since(r.Started), program.Remarks()
	if r.Result == nil {
		return exploreError(cmd.OutOrStdout(), err, r.Remarks)
	}
	return f.finish(cmd, &r, program, err)
}

// check checks the flags and returns the texts of the plans of the baseline.
func (f *exploreFlags) check() (known []string, err error) {
	switch {
	case f.settings.Runs < 0 || f.settings.For < 0:
		return nil, command.Usagef("--runs and --for cannot be negative: 0 is no limit")
	case f.settings.Parallel < 1 || f.settings.Parallel > 1000:
		return nil, command.Usagef("--parallel %d is out of range: use 1 to 1000", f.settings.Parallel)
	case f.limit <= 0:
		return nil, command.Usagef("--limit %s is too short: use 1s or more", f.limit)
	}
	for _, k := range f.kinds {
		f.settings.Kinds = append(f.settings.Kinds, explore.Kind(k))
	}
	if err := f.settings.Check(); err != nil {
		return nil, command.Usagef("--kinds: %v", err)
	}
	if f.addr != "" {
		f.settings.Parallel = 1
	}
	if f.baseline != "" {
		if known, err = exploration.ReadBaseline(f.baseline); err != nil {
			return nil, command.Usagef("%v", err)
		}
	}
	return known, nil
}

// again returns the flags that a run of one plan needs too.
func (f *exploreFlags) again() []string {
	var flags []string
	for _, flag := range []struct{ name, value string }{
		{"--tables", f.tables}, {"--invariants", f.invariants}, {"--dynamodb-addr", f.addr},
	} {
		if flag.value != "" {
			flags = append(flags, flag.name, flag.value)
		}
	}
	return flags
}

// files returns the files that a run needs, by their names beside a saved scenario.
func (f *exploreFlags) files() (map[string][]byte, error) {
	files := map[string][]byte{}
	for name, path := range map[string]string{exploration.TablesFile: f.tables, exploration.InvariantsFile: f.invariants} {
		if path == "" {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		files[name] = text
	}
	return files, nil
}

// program returns the command as a program that is ready to run.
func (f *exploreFlags) program(args []string) (*process.Program, error) {
	p := &process.Program{Args: args, Limit: f.limit, Addr: f.addr}
	if f.tables != "" {
		file, err := readTableFile("--tables", f.tables)
		if err != nil {
			return nil, err
		}
		p.Prepare = setup.Tables(file)
	}
	if f.invariants != "" {
		set, err := invariants.Read(f.invariants)
		if err != nil {
			return nil, command.Usagef("--invariants: %v", err)
		}
		check := setup.Invariants(set)
		p.Check = func(ctx context.Context, e *emulator.Emulator, disturbed bool) (string, error) {
			broken, err := check(ctx, e, disturbed)
			if err != nil {
				err = command.Usagef("--invariants: %v", err)
			}
			return broken, err
		}
		p.Items = setup.Items(set)
	}
	if err := p.Open(); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// runPlan runs the command once, with the mishaps of --plan.
func (f *exploreFlags) runPlan(cmd *cobra.Command, program *process.Program) error {
	plan, err := explore.ParsePlan(f.plan)
	if err != nil {
		return command.Usagef("--plan: %v", err)
	}
	o, err := program.Show(cmd.Context(), plan, cmd.OutOrStdout())
	if err != nil {
		return exploreError(cmd.OutOrStdout(), err, program.Remarks())
	}
	finding := explore.Finding{Plan: plan, Outcome: o}
	finding.Outcome.Output = "" // shown already
	_, _ = fmt.Fprintf(cmd.OutOrStdout(), "\n%s", finding.Story())
	if !o.Passed {
		_, _ = fmt.Fprintln(cmd.OutOrStdout(), "FAIL  "+plan.String())
		return fmt.Errorf("the command fails: %s", o.Reason)
	}
	_, _ = fmt.Fprintln(cmd.OutOrStdout(), "PASS  "+plan.String())
	return nil
}

// follow shows the progress, and prints each finding when it is found.
func (f *exploreFlags) follow(cmd *cobra.Command, line *live.Line, r *exploration.Report, program *process.Program) {
	f.settings.Progress = func(p explore.Progress) {
		line.Set(fmt.Sprintf("%s  %s  %d of %d mishaps tried", count(int64(p.Findings), "finding"),
			count(int64(p.Runs), "run"), p.Tried, p.Known), time.Now())
	}
	f.settings.Found = func(finding *explore.Finding) {
		if f.invariants != "" {
			if o, err := program.Trace(cmd.Context(), finding.Plan); err == nil && !o.Passed {
				finding.Outcome = o
			}
		}
		line.Clear()
		verdict := "FAIL"
		if r.IsKnown(finding) {
			verdict = "KNOWN"
		}
		_, _ = fmt.Fprintf(cmd.OutOrStdout(), "%s  %s\n", verdict, r.Account(finding))
	}
}

// exploreError returns in one line why nothing could be explored. What the command printed goes to out.
func exploreError(out io.Writer, err error, remarks []string) error {
	var alone *explore.FailsAloneError
	var start *process.StartError
	switch {
	case errors.Is(err, explore.ErrNoRequests):
		const text = "the command sent no request for items to the emulator: it must use AWS_ENDPOINT_URL_DYNAMODB or " +
			"AZURE_COSMOS_ENDPOINT; for a fixed endpoint, use --dynamodb-addr"
		return command.Usagef("%s", strings.Join(append([]string{text}, remarks...), "; "))
	case errors.Is(err, explore.ErrNoSuchMishaps):
		return command.Usagef("--kinds: %v", err)
	case errors.Is(err, explore.ErrNothingTried), errors.Is(err, explore.ErrNothingHappened):
		return command.Usagef("%v", err)
	case errors.As(err, &alone):
		_, _ = io.WriteString(out, alone.Outcome.Output)
		if alone.Beside {
			return fmt.Errorf("%s (--parallel 1)", alone.Cause())
		}
		return errors.New(alone.Cause())
	case errors.As(err, &start):
		return command.Usagef("%v", err)
	}
	return err
}

// finish saves the report and prints the summary.
func (f *exploreFlags) finish(cmd *cobra.Command, r *exploration.Report, program *process.Program,
	searchErr error) error {
	out := cmd.OutOrStdout()
	r.Matrix = r.Result.Matrix()
	files, err := r.Save(cmd.Context(), f.out, program)
	if err != nil {
		return err
	}
	if f.writeBaseline != "" {
		if err := wholefile.WriteFile(f.writeBaseline, r.Baseline(), 0o644); err != nil {
			return err
		}
	}
	for _, remark := range r.Remarks {
		_, _ = fmt.Fprintln(out, "note: "+remark)
	}
	printReports(out, files)
	found := len(r.New())
	verdict := "PASS"
	if found > 0 || searchErr != nil {
		verdict = "FAIL"
	}
	_, _ = fmt.Fprintf(out, "%s  %s runs in %s: %s\n", verdict, thousands.Group(r.Result.Runs),
		r.Elapsed.Round(time.Millisecond), r.Result.Summary())
	switch {
	case searchErr != nil && cmd.Context().Err() != nil:
		return command.Stoppedf(cmd.Context(), " after %s", count(int64(r.Result.Runs), "run"))
	case searchErr != nil:
		return searchErr
	case found > 0:
		return fmt.Errorf("%s: the command does not survive these mishaps", f.countFindings(found))
	}
	return nil
}

// countFindings counts findings, which are new if there is a baseline.
func (f *exploreFlags) countFindings(n int) string {
	if f.baseline != "" {
		return count(int64(n), "new finding")
	}
	return count(int64(n), "finding")
}
