package emulatorcmd

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// NewFaults returns the commands that set and remove a running emulator's faults.
func NewFaults() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "faults",
		Short: "Inject faults into a running emulator",
		Long: `Inject faults into a running emulator: throttle, reject or delay requests, close connections before or after
the commit, return stale data, or process batches in part. docs/faults.md describes every field. To start an emulator
with faults, use tabletop emulator --faults FILE.`,
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
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the faults",
		Long:    "List the faults with the number of requests that each was injected into.",
		Example: "  tabletop faults list\n  tabletop faults list --endpoint http://127.0.0.1:9000",
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return f.printJSON(cmd.Context(), cmd.OutOrStdout(), "/faults")
			}
			return f.listFaults(cmd.Context(), cmd.OutOrStdout())
		},
	}
	f.bind(cmd.Flags())
	command.BindOutput(cmd.Flags(), &asJSON)
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
	if len(all.Faults) == 0 {
		_, err := fmt.Fprintln(out, "No faults. Add one with: tabletop faults add --do throttle")
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, fault := range all.Faults {
		_, _ = thousands.Fprintf(table, "%s\t%s\tinjected into %d of %d requests", fault.Name, fault.Do, fault.Hits, fault.Matched)
		if fault.Waiting > 0 {
			_, _ = thousands.Fprintf(table, ", %d waiting", fault.Waiting)
		}
		_, _ = fmt.Fprintln(table)
	}
	return table.Flush()
}

func newFaultsRemove() *cobra.Command {
	var f AdminFlags
	cmd := &cobra.Command{
		Use: "remove NAME", Short: "Remove a fault", Long: "Remove a fault by its name, as shown by tabletop faults list.",
		Example: "  tabletop faults remove fault-1\n  tabletop faults remove \"lost responses\"",
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
	actions := emulator.FaultActions()
	last := len(actions) - 1
	flags.StringVar(&f.do, "do", "", "Fault to inject: "+strings.Join(actions[:last], ", ")+" or "+actions[last]+".")
	flags.StringVar(&f.Name, "name", "", "Name of the fault. Default: a generated name.")
	flags.StringSliceVar(&f.Operations, "operation", nil,
		"Operations to match; * matches any characters. Repeatable. Default: all operations.")
	flags.StringSliceVar(&f.Tables, "table", nil,
		"Tables to match; * matches any characters. Repeatable. Default: all tables.")
	flags.StringSliceVar(&f.Identities, "identity", nil,
		"Callers to match: access keys, users, roles or ARNs; * matches any "+
			"characters. Repeatable. Default: all callers.")
	flags.StringVar(&f.PartitionKey, "partition-key", "", "Partition key to match. Default: all.")
	flags.StringVar(&f.SortKey, "sort-key", "", "Sort key to match, with --partition-key. Default: all.")
	flags.DurationVar(&f.Latency, "latency", 0, "Delay of each request, such as 20ms. For clock-jump: how far the clock moves.")
	flags.DurationVar(&f.LatencyP99, "latency-p99", 0, "99th percentile of a random delay, whose median is --latency.")
	flags.BoolVar(&f.RealTime, "real-time", false, "Measure the delay by real time instead of the emulator's clock.")
	flags.IntVar(&f.Members, "members", 0, "For unprocessed: the number of items or keys of a batch to leave unprocessed.")
	flags.Float64Var(&f.Fraction, "fraction", 0,
		"For unprocessed: the fraction of a batch to leave unprocessed, such as 0.5.")
	flags.Float64Var(&f.Probability, "probability", 0,
		"Probability of the fault for each matching request, such as 0.1. Default: always.")
	flags.IntVar(&f.Skip, "skip", 0, "Number of matching requests to let pass first.")
	flags.IntVar(&f.Every, "every", 0, "Inject the fault only into every Nth matching request.")
	flags.IntVar(&f.Times, "times", 0, "Maximum number of injections. Default: unlimited.")
	flags.StringVar(&f.from, "from", "",
		"Time at which the fault begins, by the emulator's clock, such as 2026-11-21T12:00:00Z.")
	flags.StringVar(&f.until, "until", "", "Time at which the fault ends, by the emulator's clock.")
	flags.DurationVar(&f.For, "for", 0, "How long the fault stays active, such as 10m.")
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
			return f.Fault, command.Usagef("--%s %q is not a time: use the format 2026-11-21T12:00:00Z",
				moment.flag, moment.text)
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
		Short: "Add a fault, or the faults of a file",
		Long: `Add the fault that the flags describe, or the faults of a YAML file, and print their names. A fault takes effect at
once and stays until it is removed. It is injected only into requests that match all of its conditions.`,
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
	command.Offer(cmd, "table", admin.tables)
	command.Offer(cmd, "do", command.Fixed(emulator.FaultActions()...))
	return cmd
}

// all returns the faults of a file, or the one that the flags describe.
func (f *faultFlags) all(args []string) ([]emulator.Fault, error) {
	switch {
	case len(args) > 1 || len(args) == 1 && f.do != "":
		return nil, command.Usagef("unexpected arguments: use either one file of faults or the flags of one fault")
	case len(args) == 1:
		all, err := emulator.ReadFaults(args[0])
		if err != nil {
			return nil, command.Usagef("%v", err)
		}
		return all, nil
	case f.do == "":
		return nil, command.Usagef(
			"no fault given: set --do, such as --do throttle, or give a file; see tabletop faults add --help")
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
