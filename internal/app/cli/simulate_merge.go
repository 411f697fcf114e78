package cli

import (
	"encoding/json"
	"fmt"
	"io"
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
		Short: "Add the results of the shards of a simulation",
		Long: `Add the results that a simulator wrote with --shard and --report, one for each shard. The exit status is 1 if one of the
shards found a difference. Results of different simulations are refused, and so are missing shards.`,
		Example: `  tabletop simulate merge shard-1.json shard-2.json
  tabletop simulate merge shard-*.json --report brewers.json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			sum, err := mergeResults(args)
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

// simulationResult is the result of any simulator.
type simulationResult interface {
	WriteText(io.Writer) error
	Err() error
}

// mergeResults adds the results in files. The first one determines the format, which that of a fleet has for its own.
func mergeResults(names []string) (simulationResult, error) {
	runs, err := readResults[sim.Run](names)
	if err != nil {
		return nil, err
	}
	for i, r := range runs {
		if r.Simulator == "" {
			return nil, fmt.Errorf("%s is not the result of a simulator of this version: use what --report wrote", names[i])
		}
	}
	if runs[0].Simulator == fleet.Simulator {
		return mergeAll(names, fleet.Merge)
	}
	return mergeAll(names, sim.MergeResults)
}

func mergeAll[R simulationResult](names []string, merge func([]R) (R, error)) (simulationResult, error) {
	parts, err := readResults[R](names)
	if err != nil {
		return nil, err
	}
	return merge(parts)
}

func readResults[R any](names []string) ([]R, error) {
	all := make([]R, len(names))
	for i, name := range names {
		text, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(text, &all[i])
		}
		if err != nil {
			return nil, fmt.Errorf("%s is not the result of a simulator: use what --report wrote (%w)", name, err)
		}
	}
	return all, nil
}
