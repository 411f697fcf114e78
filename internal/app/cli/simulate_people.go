package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/simulators/people"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/venue"
)

func newSimulatePeople() *cobra.Command {
	var place placeFlags
	var cfg people.Config
	cmd := &cobra.Command{
		Use:   "people",
		Short: "Run the people of a social app against the notification backend and a push gateway",
		Long: `Run the people of a social app: they like, comment, share and follow, read what they are told, sleep, fly across time
zones, switch categories off and on, and change phones. Services enqueue what happens, some of it twice; several workers
take it up at once, by query and by change feed, while the push services have bad days. At the end every event is read
back: one without an end or with a wrong one, a notification or push that is lost or doubled, a push in quiet hours, more
than three active devices are a failure.`,
		Example: `  tabletop simulate people
  tabletop simulate people --people 200 --duration 168h --seed 7
  tabletop simulate people --backend http://127.0.0.1:8080 --admin-token "$TOKEN" --gateway http://127.0.0.1:8090 \
      --emulator http://127.0.0.1:8000`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cfg.People == 0 || cfg.Duration == 0 || cfg.Workers == 0 {
				return command.Usagef("--people, --duration and --workers cannot be 0: leave them out for their defaults")
			}
			cfg.Config = place.Config
			if err := place.check(cfg.Check()); err != nil {
				return err
			}
			return place.run(cmd, func(ctx context.Context, at venue.Config) (sim.Result, error) {
				cfg.Config = at
				return people.Run(ctx, cfg)
			})
		},
	}
	place.bind(cmd.Flags())
	flags := cmd.Flags()
	flags.IntVar(&cfg.People, "people", 30, "simulated people, 2 to 10000, with up to four phones each")
	flags.DurationVar(&cfg.Duration, "duration", people.DefaultDuration, "simulated time to run, 24h to 672h: events expire after 720h")
	flags.IntVar(&cfg.Workers, "workers", 3, "workers, 1 to 16, every other one by the change feed")
	flags.StringVar(&cfg.Gateway, "gateway", "", "address of the push gateway that --backend sends to, see tabletop pushgateway")
	return cmd
}
