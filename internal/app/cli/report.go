package cli

import (
	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/features"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/app/overview"
)

func newReport() *cobra.Command {
	var s overview.Sources
	var out string
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Combine the results of scenarios, load profiles and simulators on one page",
		Long: `Combine the results of earlier runs of tabletop features, loadtest run and simulate on one page: results by
target, verdicts of load profiles, documented and measured costs, known differences, and the text of every scenario.
The page works offline. A Markdown version for pull requests is written to the same folder.`,
		Example: `  tabletop features && tabletop features --target dynamodb-local && tabletop loadtest run
  tabletop report
  tabletop report --features build/features --loadtest build/load --out build`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			files, err := writeReport(s, out)
			if err == nil {
				printReports(cmd.OutOrStdout(), files)
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&s.Features, "features", "reports/features", "Folder of the reports of tabletop features.")
	flags.StringVar(&s.Loadtest, "loadtest", "reports/loadtest", "Folder of the reports of tabletop loadtest run.")
	flags.StringVar(&s.Simulations, "simulations", "reports/simulations",
		"Folder of the JSON files of tabletop simulate --report.")
	flags.StringVar(&out, "out", "reports", "Folder for the page.")
	return cmd
}

func writeReport(s overview.Sources, out string) ([]string, error) {
	entries, err := features.Entries()
	if err != nil {
		return nil, err
	}
	known, err := features.Known()
	if err != nil {
		return nil, err
	}
	o, err := overview.Read(s, entries, known)
	if err != nil {
		return nil, err
	}
	return o.Write(out)
}
