package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
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
		Short: "Send a recording's requests to a target and show where it answers otherwise",
		Long: `Send the requests of a recording, made by tabletop emulator --record, to a target, one after the other as they were
recorded, and compare each answer with the recorded one: status, error and body, by meaning. Ids, times, regions and
accounts that the service chooses do not count, nor does the order of sets. The exit status is 1 if anything differs.

The embedded target is an emulator with the recording's seed, whose clock is at the recorded time of each request. On any
other target tables are made under their recorded names, and stay.`,
		Example: `  tabletop replay requests.jsonl
  tabletop replay requests.jsonl --target url=http://127.0.0.1:8000
  tabletop replay requests.jsonl --target aws --yes-spend --rate 100 --workers 8 --out report.json
  tabletop replay requests.jsonl --only GetItem,Query`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return command.Usagef("name one recording: tabletop replay FILE")
			}
			return f.run(cmd, args[0])
		},
	}
	flags := cmd.Flags()
	f.target.bind(flags, string(targets.Embedded))
	flags.StringVar(&f.rate, "rate", "max", "max, original (as far apart as recorded, ten seconds at most), or a number of requests a second")
	flags.StringSliceVar(&f.only, "only", nil, "operations to send, such as GetItem,Query; without it all")
	flags.IntVar(&f.workers, "workers", 1, "requests under way at a time; with more than one their order is not the recording's")
	flags.BoolVar(&f.capacity, "capacity", false, "compare consumed capacity too")
	flags.StringVar(&f.out, "out", "", "file for all differences as JSON")
	flags.IntVar(&f.show, "show", 20, "how many requests that differ are printed")
	return cmd
}

// run replays one file.
func (f *replayFlags) run(cmd *cobra.Command, name string) (err error) {
	config, err := f.config()
	if err != nil {
		return err
	}
	file, err := os.Open(name)
	if err != nil {
		return command.Usagef("%v: name a file that tabletop emulator --record has written", err)
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
	config.Target = t.Config
	if e := t.Emulator; e != nil {
		config.Clock = func(to time.Time) error { return e.Advance(max(to.Sub(e.Now()), 0)) }
	}
	report := replay.Report{Recording: name, Target: t.Name, Differ: []replay.Result{}}
	config.Differs = f.differs(cmd.OutOrStdout(), &report)
	report.Summary, err = replay.Run(cmd.Context(), in, config)
	if err == nil && report.Summary.Sent == 0 && report.Summary.Skipped > 0 {
		return command.Usagef("--only %s: no request of %s is one of these", strings.Join(f.only, ","), name)
	}
	return f.finish(cmd.OutOrStdout(), &report, err)
}

// open opens the target. An embedded emulator starts with the recording's seed and time.
func (f *replayFlags) open(ctx context.Context, cmd *cobra.Command, h recording.Header) (*targets.Target, error) {
	if targets.Kind(f.target.name) == targets.Embedded {
		return targets.Embed(emulator.WithManualClock(h.Start), emulator.WithSeed(int64(h.Seed)))
	}
	return f.target.open(ctx, command.Logger(cmd))
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
			return c, command.Usagef("--rate %q: give max, original, or a number of requests a second", f.rate)
		}
		c.Rate = n
	}
	if f.workers < 1 || f.workers > 1000 {
		return c, command.Usagef("--workers %d: give 1 to 1000", f.workers)
	}
	return c, nil
}

// differs returns a function that prints the first results and keeps them for the report.
func (f *replayFlags) differs(out io.Writer, report *replay.Report) func(replay.Result) {
	shown := 0
	return func(r replay.Result) {
		if shown++; shown <= f.show {
			_ = r.WriteText(out)
		}
		if len(report.Differ) < replay.MaxResults {
			report.Differ = append(report.Differ, r)
		}
	}
}

// finish prints the counts, writes the report, and returns an error if anything differed.
func (f *replayFlags) finish(out io.Writer, report *replay.Report, ended error) error {
	s := report.Summary
	if more := s.Different - f.show; more > 0 && f.show >= 0 {
		_, _ = fmt.Fprintf(out, "and %d more: see them all by --out\n", more)
	}
	skipped := ""
	if s.Skipped > 0 {
		skipped = fmt.Sprintf(", %d skipped", s.Skipped)
	}
	_, _ = fmt.Fprintf(out, "%d requests in %s: %d as recorded, %d not%s\n", s.Sent, s.Elapsed.Round(time.Millisecond), s.Same, s.Different, skipped)
	if ended != nil {
		report.Error = ended.Error()
	}
	if err := f.write(report); err != nil {
		return err
	}
	switch {
	case ended != nil:
		return fmt.Errorf("%s: the replay ended early: %w", report.Recording, ended)
	case s.Different > 0:
		return fmt.Errorf("%s answers %d of %d requests otherwise than was recorded", report.Target, s.Different, s.Sent)
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
	if err := os.WriteFile(f.out, append(text, '\n'), 0o600); err != nil {
		return command.Usagef("--out: %s: name a file in a folder that is there and yours to write", strings.TrimSpace(err.Error()))
	}
	return nil
}
