package cli

import "github.com/spf13/cobra"

func newLoadtest() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "loadtest",
		Short: "Hold a target to the documented rates",
		Long:  "List and run the load profiles, which hold a backend on a target to the rates of its document.",
		Example: `  tabletop loadtest list
  tabletop loadtest run TL-L1 --duration 15s`,
		Args: onlySubcommands,
		RunE: showHelp,
	}
	cmd.AddCommand(newLoadtestList(), newLoadtestRun())
	return cmd
}
