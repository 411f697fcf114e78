package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/venue"
)

// placeFlags holds the flags for where a simulation of people runs.
type placeFlags struct {
	venue.Config
	report string
}

func (f *placeFlags) bind(flags *pflag.FlagSet) {
	flags.Uint64Var(&f.Seed, "seed", 1, "the same seed gives the same people")
	flags.Float64Var(&f.AnswerLost, "answers-lost", 0.02, "share of answers that never arrive, so that requests are repeated")
	flags.StringVar(&f.BaseURL, "backend", "", "address of a backend; without it one runs in this process, on a clock that is moved")
	flags.StringVar(&f.AdminToken, "admin-token", "", "admin token of --backend")
	flags.StringVar(&f.Emulator, "emulator", "", "address of the emulator by whose clock --backend goes, which is moved")
	flags.Float64Var(&f.Speed, "speed", 0, "simulated seconds a second, where no clock is moved; 0 is real time")
	flags.StringVar(&f.report, "report", "", "file for the result as JSON, or a folder for it")
}

// check rejects values that cannot work, with a usage error.
func (f *placeFlags) check(simulation error) error {
	if simulation != nil {
		return command.Usagef("%v", simulation)
	}
	if f.BaseURL != "" && f.AdminToken == "" {
		return command.Usagef("no credential: give --admin-token, as the backend printed it")
	}
	return nil
}

// run runs a simulation until it is over or the command is asked to stop, and prints the reconciliation. Stopping may
// take time; a second signal ends the process at once.
func (f *placeFlags) run(cmd *cobra.Command, simulate func(context.Context, venue.Config) (sim.Result, error)) error {
	ctx := cmd.Context()
	if f.BaseURL != "" && f.Emulator == "" {
		_, _ = fmt.Fprintln(cmd.ErrOrStderr(), "No clock is moved, so nothing expires: give --emulator for that.")
	}
	show, done := sim.ShowProgress(cmd.ErrOrStderr())
	at := f.Config
	at.Stop, at.Progress = ctx.Done(), show
	defer context.AfterFunc(ctx, func() {
		_, _ = fmt.Fprintln(cmd.ErrOrStderr(), "\nStopping: what was done is read back. Ctrl-C again ends at once.")
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
