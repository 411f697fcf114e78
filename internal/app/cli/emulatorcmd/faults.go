package emulatorcmd

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

// NewFaults returns the commands that set and remove a running emulator's faults.
func NewFaults() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "faults",
		Short: "Have an emulator's requests go wrong",
		Long: `Have requests of an emulator that runs go wrong: throttled, refused, slow, cut off before or after the commit, stale,
or done in part. docs/faults.md has every field. An emulator starts with faults by --faults FILE.`,
		Example: `  tabletop faults add --do throttle --operation Query --every 3
  tabletop faults add --do cut-after-commit --operation PutItem,UpdateItem --table orders --times 1
  tabletop faults add faults.yaml
  tabletop faults list
  tabletop faults clear`,
		Args: command.OnlySubcommands,
		RunE: command.ShowHelp,
	}
	cmd.AddCommand(newFaultsAdd(), newFaultsClear(), newFaultsList(), newFaultsRemove())
	return cmd
}

func newFaultsList() *cobra.Command {
	var f AdminFlags
	cmd := &cobra.Command{
		Use: "list", Short: "List the faults, and how often each struck", Long: "List the faults, and how often each struck.",
		Example: "  tabletop faults list\n  tabletop faults list --endpoint http://127.0.0.1:9000",
		Args:    command.NoArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.listFaults(cmd.Context(), cmd.OutOrStdout()) },
	}
	f.bind(cmd.Flags())
	return cmd
}

// listFaults prints one fault per line.
func (f *AdminFlags) listFaults(ctx context.Context, out io.Writer) error {
	var all struct {
		Faults []struct {
			Name, Do               string
			Hits, Matched, Waiting int
		}
	}
	if err := f.Call(ctx, http.MethodGet, "/faults", nil, &all); err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, fault := range all.Faults {
		_, _ = fmt.Fprintf(table, "%s\t%s\tstruck %d of %d", fault.Name, fault.Do, fault.Hits, fault.Matched)
		if fault.Waiting > 0 {
			_, _ = fmt.Fprintf(table, ", %d waiting", fault.Waiting)
		}
		_, _ = fmt.Fprintln(table)
	}
	return table.Flush()
}

func newFaultsRemove() *cobra.Command {
	var f AdminFlags
	cmd := &cobra.Command{
		Use: "remove NAME", Short: "Remove one fault", Long: "Remove one fault; list shows their names.",
		Example: "  tabletop faults remove fault-1\n  tabletop faults remove \"lost answers\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return command.Usagef("%s takes one argument: see %s --help", cmd.CommandPath(), cmd.CommandPath())
			}
			return f.Call(cmd.Context(), http.MethodDelete, "/faults/"+url.PathEscape(args[0]), nil, nil)
		},
	}
	f.bind(cmd.Flags())
	return cmd
}

func newFaultsClear() *cobra.Command {
	var f AdminFlags
	cmd := &cobra.Command{
		Use: "clear", Short: "Remove all faults", Long: "Remove all faults.",
		Example: "  tabletop faults clear\n  tabletop faults clear --endpoint http://127.0.0.1:9000",
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.Call(cmd.Context(), http.MethodDelete, "/faults", nil, nil)
		},
	}
	f.bind(cmd.Flags())
	return cmd
}

// faultFlags holds the flags that describe a fault.
type faultFlags struct {
	emulator.Fault
	do, from, until string
}

func (f *faultFlags) bind(flags *pflag.FlagSet) {
	flags.StringVar(&f.do, "do", "", "what happens: throttle, internal-error, unavailable, delay, hold, stale, cut-before-commit, cut-after-commit or unprocessed")
	flags.StringVar(&f.Name, "name", "", "name of the fault; without one it gets one")
	flags.StringSliceVar(&f.Operations, "operation", nil, "which operations, * standing for anything; without any, all")
	flags.StringSliceVar(&f.Tables, "table", nil, "which tables, likewise")
	flags.StringSliceVar(&f.Identities, "identity", nil, "whose requests: access keys, users, roles or ARNs, likewise")
	flags.StringVar(&f.PartitionKey, "partition-key", "", "which partition key")
	flags.StringVar(&f.SortKey, "sort-key", "", "which sort key, beside the partition key")
	flags.DurationVar(&f.Latency, "latency", 0, "how long the request waits, such as 20ms")
	flags.DurationVar(&f.LatencyP99, "latency-p99", 0, "what one wait in a hundred exceeds; --latency is the median then")
	flags.BoolVar(&f.RealTime, "real-time", false, "wait on the machine's clock, not on the emulator's")
	flags.IntVar(&f.Members, "members", 0, "of unprocessed: how many members of a batch come back")
	flags.Float64Var(&f.Fraction, "fraction", 0, "of unprocessed: what part of a batch comes back, such as 0.5")
	flags.Float64Var(&f.Probability, "probability", 0, "with what chance, such as 0.1; without it, always")
	flags.IntVar(&f.Skip, "skip", 0, "how many requests pass first")
	flags.IntVar(&f.Every, "every", 0, "only every third, for 3")
	flags.IntVar(&f.Times, "times", 0, "how many times in all; without it, without end")
	flags.StringVar(&f.from, "from", "", "when it begins, such as 2026-11-21T12:00:00Z, on the emulator's clock")
	flags.StringVar(&f.until, "until", "", "when it ends, likewise")
	flags.DurationVar(&f.For, "for", 0, "how long it lasts, such as 10m")
}

// fault returns the fault that the flags describe.
func (f *faultFlags) fault() (emulator.Fault, error) {
	f.Do = emulator.FaultAction(f.do)
	for _, moment := range []struct {
		flag, text string
		to         *time.Time
	}{{"from", f.from, &f.From}, {"until", f.until, &f.Until}} {
		if moment.text == "" {
			continue
		}
		at, err := time.Parse(time.RFC3339, moment.text)
		if err != nil {
			return f.Fault, command.Usagef("--%s %q: write a time as 2026-11-21T12:00:00Z", moment.flag, moment.text)
		}
		*moment.to = at
	}
	return f.Fault, nil
}

func newFaultsAdd() *cobra.Command {
	var admin AdminFlags
	var f faultFlags
	cmd := &cobra.Command{
		Use:   "add [FILE]",
		Short: "Set a fault, or those of a file",
		Long: `Set a fault by flags, or those of a YAML file. It takes effect at once, and stays until it is removed; its name is
printed. Requests have to fit all that the flags name.`,
		Example: `  tabletop faults add --do throttle --operation Query --every 3
  tabletop faults add --do cut-after-commit --operation "Put*" --table orders --times 1
  tabletop faults add --do delay --latency 20ms --latency-p99 200ms --probability 0.1 --for 10m
  tabletop faults add faults.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := f.all(args)
			if err != nil {
				return err
			}
			return admin.addFaults(cmd.Context(), cmd.OutOrStdout(), all)
		},
	}
	admin.bind(cmd.Flags())
	f.bind(cmd.Flags())
	return cmd
}

// all returns the faults of a file, or the one that the flags describe.
func (f *faultFlags) all(args []string) ([]emulator.Fault, error) {
	switch {
	case len(args) > 1 || len(args) == 1 && f.do != "":
		return nil, command.Usagef("give one file of faults, or the flags of one fault")
	case len(args) == 1:
		all, err := emulator.ReadFaults(args[0])
		if err != nil {
			return nil, command.Usagef("%v", err)
		}
		return all, nil
	case f.do == "":
		return nil, command.Usagef("say what happens by --do, such as --do throttle, or give a file: see tabletop faults add --help")
	}
	one, err := f.fault()
	return []emulator.Fault{one}, err
}

// addFaults sets faults and prints their names.
func (f *AdminFlags) addFaults(ctx context.Context, out io.Writer, all []emulator.Fault) error {
	for _, fault := range all {
		var set struct{ Name string }
		if err := f.Call(ctx, http.MethodPost, "/faults", fault, &set); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(out, set.Name); err != nil {
			return err
		}
	}
	return nil
}
