package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/simulators/applicants"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/venue"
)

func newSimulateApplicants() *cobra.Command {
	var place placeFlags
	var cfg applicants.Config
	cmd := &cobra.Command{
		Use:   "applicants",
		Short: "Run people who prove who they are, and reviewers, against the verification backend",
		Long: `Run applicants and reviewers: cases are opened, documents really sent, completed and submitted, or given up on the way;
reviewers race for every move of every case; the key of contact data is rotated in the middle. Where the clock is moved, all
cases end after thirty days. Each case must come to its end once, the audit trail must tell its life in order, nothing else
may be left of it, and contact data may be nowhere in clear: anything else is a failure.`,
		Example: `  tabletop simulate applicants
  tabletop simulate applicants --applicants 500 --clients 10 --reviewers 4 --seed 7
  tabletop simulate applicants --backend http://127.0.0.1:8080 --admin-token "$TOKEN" --emulator http://127.0.0.1:8000`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cfg.Applicants == 0 || cfg.Clients == 0 || cfg.Reviewers == 0 {
				return command.Usagef("--applicants, --clients and --reviewers cannot be 0: leave them out for their defaults")
			}
			cfg.Config = place.Config
			if err := place.check(cfg.Check()); err != nil {
				return err
			}
			return place.run(cmd, func(ctx context.Context, at venue.Config) (sim.Result, error) {
				cfg.Config = at
				return applicants.Run(ctx, cfg)
			})
		},
	}
	place.bind(cmd.Flags())
	flags := cmd.Flags()
	flags.IntVar(&cfg.Applicants, "applicants", 40, "simulated applicants, 1 to 10000")
	flags.IntVar(&cfg.Clients, "clients", 3, "clients that they come through, 1 to 100")
	flags.IntVar(&cfg.Reviewers, "reviewers", 2, "reviewers who work at the same time, 1 to 8")
	return cmd
}
