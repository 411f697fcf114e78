package cli

import (
	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

func newLoadtest() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "loadtest",
		Short: "Run load profiles and compare their results",
		Long: `List and run load profiles, which test a backend on a target at its documented rates; find the highest rate that a
target sustains; merge the shards of a run; and compare targets and commits.`,
		Example: `  tabletop loadtest list
  tabletop loadtest run TL-L1 --duration 15s
  tabletop loadtest saturate TL-L1
  tabletop loadtest merge /shared/run1
  tabletop loadtest trend --history history.jsonl
  tabletop loadtest compare PE-L2 --targets embedded,dynamodb-local`,
		Args: command.OnlySubcommands,
		RunE: command.ShowHelp,
	}
	cmd.AddCommand(newLoadtestList(), newLoadtestRun(), newLoadtestSaturate(), newLoadtestCompare(), newLoadtestTrend(),
		newLoadtestMerge())
	return cmd
}
