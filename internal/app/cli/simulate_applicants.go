package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/simulators/applicants"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/simenv"
)

func newSimulateApplicants() *cobra.Command {
	var common simulationFlags
	var cfg applicants.Config
	cmd := &cobra.Command{
		Use:   "applicants",
		Short: "Simulate applicants and reviewers of the verification backend",
		Long: `Simulate applicants and reviewers of the verification backend. Applicants open cases, upload documents, complete and
submit cases, or abandon them. Reviewers compete for every transition of every case. The key that encrypts contact data
is rotated halfway. If the simulator controls the clock, all cases expire after thirty days.

The simulation fails unless each case ends exactly once, the audit trail lists its transitions in order, no other data
of it remains, and contact data is stored nowhere in plaintext.`,
		Example: `  tabletop simulate applicants
  tabletop simulate applicants --applicants 500 --clients 10 --reviewers 4 --seed 7
  tabletop simulate applicants --backend http://127.0.0.1:8080 --admin-token "$TOKEN" --emulator http://127.0.0.1:8000`,
		Args: command.NoArguments,
		PreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := refuseZero(cmd.Flags(), "applicants", "clients", "reviewers"); err != nil {
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
				return applicants.Run(ctx, cfg)
			})
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&cfg.Applicants, "applicants", 40, "Number of applicants, 1 to 10000.")
	flags.IntVar(&cfg.Clients, "clients", 3, "Number of clients that the applicants belong to, 1 to 100.")
	flags.IntVar(&cfg.Reviewers, "reviewers", 2, "Number of concurrent reviewers, 1 to 8.")
	common.bind(flags)
	return cmd
}
