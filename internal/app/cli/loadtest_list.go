package cli

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/util/indented"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/loadtest"
)

func newLoadtestList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the load profiles",
		Long:    "List the built-in load profiles with their duration, number of requests, and the documented figure that they test.",
		Example: "  tabletop loadtest list",
		Args:    command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			profiles, err := loadtest.Profiles()
			if err != nil {
				return err
			}
			if asJSON {
				return indented.WriteJSON(cmd.OutOrStdout(), profiles)
			}
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			_, _ = fmt.Fprintln(w, "PROFILE\tDURATION\tREQUESTS\tDOCUMENTED FIGURE")
			for _, p := range profiles {
				_, _ = thousands.Fprintf(w, "%s\t%v\t%d\t%s\n", p.ID, p.Duration(), p.Requests(), p.Figure)
			}
			return w.Flush()
		},
	}
	command.BindOutput(cmd.Flags(), &asJSON)
	return cmd
}
