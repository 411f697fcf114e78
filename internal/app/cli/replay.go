package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/features/targets"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/app/replay"
	"github.com/tabletop-db/tabletop/internal/model/recording"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/internal/util/wholefile"
	"github.com/tabletop-db/tabletop/simulators/live"
)

// replayFlags holds the flags for how a recording is replayed.
type replayFlags struct {
	target   targetFlags
	rate     string
	only     []string
	workers  int
	capacity bool
	out      string
	show     int
}

func newReplay() *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Replay a recording on a target and compare the responses",
		Long: `Send the requests of a recording, which tabletop emulator --record writes, to a target in the recorded order, and
compare each response with the recorded one: status, error and body. IDs, ETags, times, regions and accounts that the
service chooses are ignored, and so is the order of sets. The exit status is 1 if a response differs.

The embedded target is an emulator of both databases with the recording's seed, whose clock follows the recorded times.
Other targets have DynamoDB or Cosmos DB, and only the requests to that are sent. There, tables, databases and containers
are created under their recorded names and are not deleted.`,
		Example: `  tabletop replay requests.jsonl
  tabletop replay requests.jsonl --target url=http://127.0.0.1:8000
  tabletop replay requests.jsonl --target cosmos=https://127.0.0.1:8081
  tabletop replay requests.jsonl --target aws --yes-spend --rate 100 --workers 8 --out report.json
  tabletop replay requests.jsonl --only GetItem,Query`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return command.Usagef("%s takes one recording: see %s --help", cmd.CommandPath(), cmd.CommandPath())
			}
			return f.run(cmd, args[0])
		},
	}
	flags := cmd.Flags()
	f.target.bind(flags, string(targets.Embedded))
	flags.StringVar(&f.rate, "rate", "max",
		"Request rate: max, original (with the recorded pauses, of at most ten seconds), or a "+
			"number of requests per second.")
	flags.StringSliceVar(&f.only, "only", nil, "Operations to send, such as GetItem,Query. Default: all.")
	flags.IntVar(&f.workers, "workers", 1,
		"Number of concurrent requests. With more than one, the recorded order is not kept.")
	flags.BoolVar(&f.capacity, "capacity", false, "Compare consumed capacity too.")
	flags.StringVar(&f.out, "out", "", thousands.Sprintf("File to write up to %d requests that differ to, as JSON.",
		replay.MaxResults))
	flags.IntVar(&f.show, "show", 20, "Maximum number of differing requests to print.")
	return cmd
}

// run replays one file.
func (f *replayFlags) run(cmd *cobra.Command, name string) (err error) {
	config, err := f.config()
	if err != nil {
		return err
	}
	file, err := openRecording(cmd.Context(), name)
	if err != nil {
		return err
	}
	defer file.Close()
	in, err := recording.NewReader(file)
	if err != nil {
		return command.Usagef("%s: %v", name, err)
	}
	t, err := f.open(cmd.Context(), cmd, in.Header)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	if err := useDatabases(&config, t); err != nil {
		return err
	}
	if e := t.Emulator; e != nil {
		config.Clock = func(to time.Time) error { return e.Advance(max(to.Sub(e.Now()), 0)) }
	}
	report := replay.Report{Recording: name, Target: t.Name, Differ: []replay.Result{}}
	line := live.New(cmd.ErrOrStderr())
	printDifference := f.differencePrinter(cmd.OutOrStdout(), &report)
	config.Differs = func(r replay.Result) {
		line.Clear()
		printDifference(r)
	}
	config.Progress = func(s replay.Summary) {
		const every = 50 // requests, because a terminal is slower than the emulator
		if s.Sent%every == 0 {
			line.Set(fmt.Sprintf("%s differ  %s sent", thousands.Group(s.Different), thousands.Group(s.Sent)), time.Now())
		}
	}
	report.Summary, err = replay.Run(cmd.Context(), in, config)
	line.Done()
	if err != nil && cmd.Context().Err() != nil {
		err = command.Stoppedf(cmd.Context(), " after %s", count(int64(report.Summary.Sent), "request"))
	}
	if err == nil && report.Summary.Sent == 0 {
		return f.nothingSent(&report)
	}
	return f.finish(cmd.OutOrStdout(), &report, err)
}

// nothingSent returns why no request was sent: a replay that compares nothing does not pass.
func (f *replayFlags) nothingSent(r *replay.Report) error {
	s := r.Summary
	switch {
	case s.Skipped > 0 && len(f.only) > 0:
		return command.Usagef("--only %s: %s has no such requests", strings.Join(f.only, ","), r.Recording)
	case s.Missing > 0:
		return command.Usagef("%s has no requests to a database that %s has: use another --target", r.Recording, r.Target)
	case s.Skipped > 0:
		return command.Usagef("%s has no requests that can be replayed: their operations are unknown, their signatures were "+
			"rejected, or they have resource tokens", r.Recording)
	}
	return command.Usagef("%s has no requests: run your program against the emulator that records", r.Recording)
}

// open opens the target. An embedded emulator starts with the recording's seed and time.
func (f *replayFlags) open(ctx context.Context, cmd *cobra.Command, h recording.Header) (*targets.Target, error) {
	if targets.Kind(f.target.name) == targets.Embedded {
		return targets.Embed(emulator.WithManualClock(h.Start), emulator.WithSeed(int64(h.Seed)))
	}
	return f.target.openAny(ctx, command.Logger(cmd))
}

// useDatabases makes a replay send requests to the databases of a target.
func useDatabases(c *replay.Config, t *targets.Target) error {
	if _, ok := t.Supports(targets.DynamoDB); ok {
		c.DynamoDB = &t.Config
	}
	account, err := t.CosmosAccount()
	if err != nil {
		return command.Usagef("--target %s: %v", t.Name, err)
	}
	if account != nil {
		c.Cosmos = (*replay.Account)(account)
	}
	return nil
}

func (f *replayFlags) config() (replay.Config, error) {
	c := replay.Config{Workers: f.workers, Only: f.only, Capacity: f.capacity}
	switch f.rate {
	case "max":
		c.Rate = replay.Max
	case "original":
		c.Rate = replay.Original
	default:
		n, err := strconv.ParseFloat(f.rate, 64)
		if err != nil || !(n > 0 && n <= 1e6) {
			return c, command.Usagef("--rate %q is invalid: use max, original, or a number of requests per second", f.rate)
		}
		c.Rate = n
	}
	if f.workers < 1 || f.workers > 1000 {
		return c, command.Usagef("--workers %d is out of range: use 1 to 1000", f.workers)
	}
	return c, nil
}

// differencePrinter returns a function that prints the first results and keeps them for the report.
func (f *replayFlags) differencePrinter(out io.Writer, report *replay.Report) func(replay.Result) {
	shown := 0
	return func(r replay.Result) {
		if shown++; shown <= f.show {
			_ = r.WriteText(out)
		}
		if len(report.Differ) < replay.MaxResults {
			report.Differ = append(report.Differ, r)
		} else {
			report.Omitted++
		}
	}
}

// finish prints the counts, writes the report, and returns an error if anything differed.
func (f *replayFlags) finish(out io.Writer, report *replay.Report, replayErr error) error {
	s := report.Summary
	if more := s.Different - f.show; more > 0 && f.show >= 0 {
		_, _ = thousands.Fprintf(out, "%d more differ; use --out to write up to %d requests that differ to a file\n", more,
			replay.MaxResults)
	}
	skipped := ""
	if s.Skipped > 0 {
		skipped = thousands.Sprintf(", %d skipped", s.Skipped)
	}
	if s.Missing > 0 {
		skipped += thousands.Sprintf(", %d not sent, because the target does not have their database", s.Missing)
	}
	verdict := "PASS"
	if replayErr != nil || s.Different > 0 {
		verdict = "FAIL"
	}
	_, _ = thousands.Fprintf(out, "%s  %s requests in %s: %s match, %s differ%s\n", verdict, thousands.Group(s.Sent),
		s.Elapsed.Round(time.Millisecond), thousands.Group(s.Same), thousands.Group(s.Different), skipped)
	if replayErr != nil {
		report.Error = replayErr.Error()
	}
	if err := f.write(report); err != nil {
		return err
	}
	switch {
	case replayErr != nil:
		return fmt.Errorf("%s: the replay ended early: %w", report.Recording, replayErr)
	case s.Different > 0:
		return fmt.Errorf("%s: %d of %d responses differ from the recording", report.Target, s.Different, s.Sent)
	}
	return nil
}

func (f *replayFlags) write(report *replay.Report) error {
	if f.out == "" {
		return nil
	}
	slices.SortFunc(report.Differ, func(a, b replay.Result) int { return cmp.Compare(a.N, b.N) })
	text, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return err
	}
	if err := wholefile.WriteFile(f.out, append(text, '\n'), 0o600); err != nil {
		return command.Usagef("--out: %s: use a file in an existing, writable folder", strings.TrimSpace(err.Error()))
	}
	return nil
}
