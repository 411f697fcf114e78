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
		Short: "Put the kefir table's old items into the indexes that were added to it",
		Long: `Give the items of the kefir table that were written under version 1.0.0 the keys of the indexes that version 1.1.0
added, while the table is in use. What is in the indexes already, or changes meanwhile, is left to who wrote it.`,
		Example: `  tabletop tables create kefir
  tabletop job backfill --dry-run
  tabletop job backfill --segments 16 --workers 8`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.run(cmd, func(p *jobPlace) jobs.Job { return kefir.Backfill(p.client(), p.prefix, stage, f.segments) })
		},
	}
	f.bindScan(cmd.Flags())
	cmd.Flags().StringVar(&stage, "stage", kefir.DefaultStage, "stage in the table's name: kefir-app-STAGE-table")
	return cmd
}
