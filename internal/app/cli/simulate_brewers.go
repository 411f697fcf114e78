package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/simulators/brewers"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

func newSimulateBrewers() *cobra.Command {
	var common simulationFlags
	var cfg brewers.Config
	cmd := &cobra.Command{
		Use:   "brewers",
		Short: "Simulate users of the kefir backend over several weeks",
		Long: `Simulate people who brew kefir: they start, bottle, share and archive batches, take notes and photos, set and cancel
reminders, change phones, export their data, and delete their accounts. Without --backend, several instances of the
reminder scheduler run concurrently and send to a push gateway.

The simulation fails if a batch, an event or a line of an export is wrong, a reminder is sent twice or after it was
cancelled, or a push message is lost.`,
		Example: `  tabletop simulate brewers
  tabletop simulate brewers --brewers 200 --duration 1344h --seed 7
  tabletop simulate brewers --backend http://127.0.0.1:8080 --admin-token "$TOKEN" --duration 72h --speed 5000`,
		Args: command.NoArguments,
		PreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := refuseZero(cmd.Flags(), "brewers", "duration", "schedulers"); err != nil {
				return err
			}
			return common.check(func(at simenv.Config) error {
				cfg.Config = at
				return cfg.Check()
			})
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return common.run(cmd, func(ctx context.Context, at simenv.Config) (sim.Result, error) {
				cfg.Config = at
				return brewers.Run(ctx, cfg)
			})
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&cfg.Brewers, "brewers", 20, "Number of brewers, 1 to 10000.")
	flags.DurationVar(&cfg.Duration, "duration", 28*24*time.Hour, "Simulated duration, 72h to 8760h.")
	flags.IntVar(&cfg.Schedulers, "schedulers", 3,
		"Number of instances of the reminder scheduler in this process, 1 to 16.")
	common.bind(flags)
	return cmd
}
