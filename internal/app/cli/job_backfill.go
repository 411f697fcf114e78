package cli

import (
	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/backend/jobs"
	"github.com/tabletop-db/tabletop/backend/kefir"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

func newJobBackfill() *cobra.Command {
	var f runFlags
	var stage string
	cmd := &cobra.Command{
		Use:   "backfill",
		Short: "Add the kefir table's old items to its new indexes",
		Long: `Add the keys of the indexes of version 1.1.0 to the items of the kefir table that version 1.0.0 wrote, while the table
is in use. Items that are already in the indexes, or that change while the job runs, are not modified.`,
		Example: `  tabletop tables create kefir
  tabletop job backfill --dry-run
  tabletop job backfill --segments 16 --workers 8`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.run(cmd, func(p *jobEnv) jobs.Job { return kefir.Backfill(p.client(), p.prefix, stage, f.segments) })
		},
	}
	f.bindScan(cmd.Flags())
	cmd.Flags().StringVar(&stage, "stage", kefir.DefaultStage, "Stage in the name of the table kefir-app-STAGE-table.")
	return cmd
}
