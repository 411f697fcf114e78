package cli

import (
	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/backend/devicetoken"
	"github.com/tabletop-db/tabletop/backend/jobs"
	"github.com/tabletop-db/tabletop/backend/jobs/cleanup"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

func newJobCleanup() *cobra.Command {
	var f runFlags
	var env string
	cmd := &cobra.Command{
		Use:   "cleanup",
		Short: "Delete device tokens that have been inactive for 30 days",
		Long: `Delete device tokens that are inactive and have not been updated for 30 days. Each deletion is conditional: a device
that becomes active in the meantime is not deleted.`,
		Example: `  tabletop job cleanup --dry-run
  tabletop job cleanup --segments 16 --workers 8
  tabletop job cleanup --target aws --yes-spend --env prod --json`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.run(cmd, func(p *jobEnv) jobs.Job {
				return cleanup.Job(p.client(), devicetoken.TableName(p.prefix, env), p.now(), f.segments)
			})
		},
	}
	f.bindScan(cmd.Flags())
	cmd.Flags().StringVar(&env, "env", devicetoken.DefaultEnv,
		"Environment in the name of the table photoeditor-ENV-device-tokens.")
	return cmd
}
