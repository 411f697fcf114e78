package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/backend/jobs"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

func newJobTable() *cobra.Command {
	var f jobFlags
	cmd := &cobra.Command{
		Use:   "table",
		Short: "Create the table that stores the state of jobs",
		Long: `Create the table that stores the state of jobs, if it does not exist. Jobs create it themselves if their credentials
allow it; run this command as an administrator if they do not.`,
		Example: "  tabletop job table\n  tabletop job table --target aws --yes-spend --prefix dev-",
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := f.open(cmd)
			if err != nil {
				return err
			}
			if err := jobs.Ensure(cmd.Context(), p.client(), p.prefix); err != nil {
				return err
			}
			made := map[string]string{"table": p.prefix + jobs.Table}
			return f.print(cmd.OutOrStdout(), made, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "table %s is active\n", made["table"])
				return err
			})
		},
	}
	f.bind(cmd.Flags())
	return cmd
}
