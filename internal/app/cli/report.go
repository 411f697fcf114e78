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
		Short: "Make one page of what holds, under load too, and at which cost",
		Long: `Make one page of what earlier runs of features, load profiles and simulations left: which promise holds on which target,
the verdicts of load, cost as documented and as measured, known differences, and the text of every scenario. It opens
without a network. Beside it is its Markdown for a pull request.`,
		Example: `  tabletop features && tabletop features --target dynamodb-local && tabletop loadtest run
  tabletop report
  tabletop report --features build/features --loadtest build/load --out build`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			files, err := makeReport(s, out)
			if err == nil {
				printReports(cmd.OutOrStdout(), files)
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&s.Features, "features", "reports/features", "folder of tabletop features")
	flags.StringVar(&s.Loadtest, "loadtest", "reports/loadtest", "folder of tabletop loadtest run")
	flags.StringVar(&s.Simulations, "simulations", "reports/simulations", "folder whose *.json are of tabletop simulate --report")
	flags.StringVar(&out, "out", "reports", "folder for the page")
	return cmd
}

func makeReport(s overview.Sources, out string) ([]string, error) {
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
