package cli

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/simulators/fleet"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

func newSimulateMerge() *cobra.Command {
	var report string
	cmd := &cobra.Command{
		Use:   "merge FILE...",
		Short: "Add the results of the shards of a fleet",
		Long: `Add the results that tabletop simulate fleet --shard --report wrote, one for each shard. The exit status is 1 if a
reading of the fleet is lost, duplicated or changed.`,
		Example: `  tabletop simulate merge shard-1.json shard-2.json --report fleet.json`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var parts []fleet.Result
			for _, name := range args {
				var one fleet.Result
				text, err := os.ReadFile(name)
				if err == nil {
					err = json.Unmarshal(text, &one)
				}
				if err != nil {
					return command.Usagef("%s is not the result of a fleet: use what --report wrote (%v)", name, err)
				}
				parts = append(parts, one)
			}
			sum, err := fleet.Merge(parts)
			if err != nil {
				return command.Usagef("%v", err)
			}
			if err := sum.WriteText(cmd.OutOrStdout()); err != nil {
				return fmt.Errorf("cannot print the result: %w", err)
			}
			if report != "" {
				if err := sim.WriteJSONFile(report, sum); err != nil {
					return err
				}
			}
			return sum.Err()
		},
	}
	cmd.Flags().StringVar(&report, "report", "", "File or folder to write the result to, as JSON.")
	return cmd
}
