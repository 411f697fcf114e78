package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/simulators/phones"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/venue"
)

func newSimulatePhones() *cobra.Command {
	var place placeFlags
	var cfg phones.Config
	cmd := &cobra.Command{
		Use:   "phones",
		Short: "Run people with phones against the device token backend and a push gateway",
		Long: `Run people with phones: they install an app, register for pushes, open it in the morning, log out, uninstall it, come
back, stay away until their devices expire, and some have everything deleted. Jobs complete meanwhile, and each is told to
all of a user's phones. At the end every device is read back, and what the gateway delivered is compared with what it was
to deliver: a device that is lost or not as it must be, a push that is lost, doubled or came to the wrong phone is a failure.`,
		Example: `  tabletop simulate phones
  tabletop simulate phones --users 200 --duration 720h --seed 7
  tabletop simulate phones --backend http://127.0.0.1:8080 --admin-token "$TOKEN" --gateway http://127.0.0.1:8090 \
      --emulator http://127.0.0.1:8000`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cfg.Users == 0 || cfg.Duration == 0 {
				return command.Usagef("--users and --duration cannot be 0: leave them out for their defaults")
			}
			cfg.Config = place.Config
			if err := place.check(cfg.Check()); err != nil {
				return err
			}
			return place.run(cmd, func(ctx context.Context, at venue.Config) (sim.Result, error) {
				cfg.Config = at
				return phones.Run(ctx, cfg)
			})
		},
	}
	place.bind(cmd.Flags())
	flags := cmd.Flags()
	flags.IntVar(&cfg.Users, "users", 30, "simulated users, 1 to 10000, with two phones each on average")
	flags.DurationVar(&cfg.Duration, "duration", phones.DefaultDuration, "simulated time to run; devices expire after 2160h without a launch")
	flags.StringVar(&cfg.Gateway, "gateway", "", "address of the push gateway that --backend sends to, see tabletop pushgateway")
	return cmd
}
