package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/simulators/phones"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

func newSimulatePhones() *cobra.Command {
	var common simulationFlags
	var cfg phones.Config
	cmd := &cobra.Command{
		Use:   "phones",
		Short: "Simulate users and their phones with the device token backend and a push gateway",
		Long: `Simulate users and their phones: they install an app, register for push messages, open the app in the morning, log out,
uninstall it, return, stay away until their devices expire, and delete their data. Jobs complete in the meantime, and
each completion is pushed to all phones of its user.

The simulation fails if a device is lost or wrong, or if a push message is lost, duplicated or delivered to the wrong
phone.`,
		Example: `  tabletop simulate phones
  tabletop simulate phones --users 200 --duration 720h --seed 7
  tabletop simulate phones --backend http://127.0.0.1:8080 --admin-token "$TOKEN" --gateway http://127.0.0.1:8090 \
      --emulator http://127.0.0.1:8000`,
		Args: command.NoArguments,
		PreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := refuseZero(cmd.Flags(), "users", "duration"); err != nil {
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
				return phones.Run(ctx, cfg)
			})
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&cfg.Users, "users", 30, "Number of users, 1 to 10000, with two phones each on average.")
	flags.DurationVar(&cfg.Duration, "duration", phones.DefaultDuration,
		"Simulated duration. Devices expire after 2160h without a launch of the app.")
	flags.StringVar(&cfg.Gateway, "gateway", "", "URL of the push gateway of --backend. See tabletop pushgateway.")
	common.bind(flags)
	return cmd
}
