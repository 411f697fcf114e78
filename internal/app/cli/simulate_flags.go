package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/emulator/invariants"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

// simulationFlags holds the flags for where a simulation of people runs.
type simulationFlags struct {
	simenv.Config
	report     string
	invariants string // file of invariants; empty: only those of the system
	shard      simulatedShard
	progress   progressFormat
}

func (f *simulationFlags) bind(flags *pflag.FlagSet) {
	flags.Uint64Var(&f.Seed, "seed", 1, "Random seed. The same seed generates the same people.")
	flags.Float64Var(&f.ResponseLossRate, "lost-responses", 0.02,
		"Share of responses to drop, from 0 to less than 1, so that requests are retried.")
	flags.StringVar(&f.BaseURL, "backend", "",
		"URL of a running backend. Default: a backend in this process, whose clock the simulator controls.")
	flags.StringVar(&f.AdminToken, "admin-token", "", "Bearer token for the admin routes of --backend.")
	flags.StringVar(&f.Emulator, "emulator", "",
		"URL of the emulator whose clock --backend follows. The simulator advances this clock.")
	flags.Float64Var(&f.Speed, "speed", 0,
		"Simulated seconds per second, if the simulator does not control the clock. 0 is real time.")
	flags.StringVar(&f.invariants, "invariants", "",
		"File of invariants to check at the end, besides those of the system's rules.")
	flags.StringVar(&f.report, "report", "", "File or folder to write the result to, as JSON.")
	f.shard.bind(flags, "Part of the simulation, such as 3/8: an eighth of those simulated, with all they deal with.")
	f.progress.bind(flags)
}

// check rejects values that cannot work, with a usage error. checkConfig checks a simulator's configuration with these
// flags.
func (f *simulationFlags) check(checkConfig func(simenv.Config) error) (err error) {
	if f.Shard, err = f.shard.parse(); err != nil {
		return err
	}
	if err := checkConfig(f.Config); err != nil {
		return command.Usagef("%v", err)
	}
	if f.invariants != "" {
		set, err := invariants.Read(f.invariants)
		if err == nil {
			f.Invariants = set
			err = f.Check()
		}
		if err != nil {
			return command.Usagef("%v", err)
		}
	}
	if f.BaseURL != "" && f.AdminToken == "" {
		return command.Usagef("no credential: set --admin-token to the token that the backend printed")
	}
	return f.progress.check()
}

// refuseZero returns a usage error for the first of these flags that is 0, which would mean its default.
func refuseZero(flags *pflag.FlagSet, names ...string) error {
	for _, name := range names {
		if strings.TrimRight(flags.Lookup(name).Value.String(), "s") == "0" {
			return zeroError(name)
		}
	}
	return nil
}

func zeroError(flag string) error {
	return command.Usagef("--%s cannot be 0: omit it to use the default", flag)
}

// checkBackend refuses the address of a backend that does not respond, instead of repeating requests to it.
func checkBackend(ctx context.Context, base string) error {
	if err := checkHealth(ctx, base); err != nil {
		var cause *url.Error
		if errors.As(err, &cause) {
			err = cause.Err
		}
		return command.Usagef("cannot reach a backend at %s (%v): start one with tabletop backend, or set --backend", base, err)
	}
	return nil
}

// run runs a simulation until it is over or the command is asked to stop, and prints the reconciliation. Stopping may
// take time; a second signal ends the process at once.
func (f *simulationFlags) run(cmd *cobra.Command, simulate func(context.Context, simenv.Config) (sim.Result,
	error)) error {
	ctx := cmd.Context()
	if f.BaseURL != "" && f.Emulator == "" {
		_, _ = fmt.Fprintln(cmd.ErrOrStderr(),
			"The clock is not controlled, so nothing expires: set --emulator to include expiry.")
	}
	if f.BaseURL != "" {
		if err := checkBackend(ctx, f.BaseURL); err != nil {
			return err
		}
	}
	show, done := showProgress(f.progress, cmd.ErrOrStderr(), sim.ShowProgress)
	at := f.Config
	at.Stop, at.Progress = ctx.Done(), show
	defer context.AfterFunc(ctx, func() {
		_, _ = fmt.Fprintln(cmd.ErrOrStderr(), "\nStopping: reading all data back. Press Ctrl-C again to exit at once.")
	})()
	result, err := simulate(context.WithoutCancel(ctx), at)
	done()
	if err != nil {
		return err
	}
	if err := result.WriteText(cmd.OutOrStdout()); err != nil {
		return err
	}
	if f.report != "" {
		if err := sim.WriteJSONFile(f.report, result); err != nil {
			return err
		}
	}
	return result.Err()
}
