package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/simulators/people"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

func newSimulatePeople() *cobra.Command {
	var common simulationFlags
	var cfg people.Config
	cmd := &cobra.Command{
		Use:   "people",
		Short: "Simulate users of a social app with the notification backend and a push gateway",
		Long: `Simulate users of a social app: they like, comment, share and follow, read their notifications, sleep, travel across
time zones, turn categories off and on, and change phones. Services enqueue events, some of them twice. Several workers
process the events concurrently, by query and by change feed, while the push services sometimes fail.

The simulation fails if an event has no final status or a wrong one, a notification or push message is lost or
duplicated, a push message is sent in quiet hours, or a user has more than three active devices.`,
		Example: `  tabletop simulate people
  tabletop simulate people --people 200 --duration 168h --seed 7
  tabletop simulate people --backend http://127.0.0.1:8080 --admin-token "$TOKEN" --gateway http://127.0.0.1:8090 \
      --emulator http://127.0.0.1:8000`,
		Args: command.NoArguments,
		PreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := refuseZero(cmd.Flags(), "people", "duration", "workers"); err != nil {
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
				return people.Run(ctx, cfg)
			})
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&cfg.People, "people", 30, "Number of users, 2 to 10000, with up to four phones each.")
	flags.DurationVar(&cfg.Duration, "duration", people.DefaultDuration,
		"Simulated duration, 24h to 672h. Events expire after 720h.")
	flags.IntVar(&cfg.Workers, "workers", 3, "Number of workers, 1 to 16. Every other worker reads the change feed.")
	flags.StringVar(&cfg.Gateway, "gateway", "", "URL of the push gateway of --backend. See tabletop pushgateway.")
	common.bind(flags)
	return cmd
}
