package cli

import (
	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
)

// newSimulate returns the command that groups the simulators. Default: fleet, the oldest of them.
func newSimulate() *cobra.Command {
	cmd := newSimulateFleet()
	cmd.Use = "simulate"
	cmd.Short = "Run a simulator of devices or people against a backend"
	cmd.Long = `Run a simulator of devices or people against a backend. At the end, the simulator reads all data back from the backend
and compares it with what it sent. The exit status is 1 if they differ. Default: fleet.

With --shard, each of several processes simulates a part of a simulation, and tabletop simulate merge adds their
results.`
	cmd.Example = `  tabletop simulate fleet --admin-token "$TOKEN" --devices 100 --duration 24h --speed 3600
  tabletop simulate phones --users 100
  tabletop simulate brewers --report brewers.json
  tabletop simulate applicants
  tabletop simulate people --people 100
  tabletop simulate brewers --brewers 400 --shard 3/8 --report shard-3.json
  tabletop simulate --backend http://127.0.0.1:8080 --api-key "$KEY" --devices 10`
	cmd.Args = command.OnlySubcommands
	cmd.AddCommand(newSimulateApplicants(), newSimulateBrewers(), newSimulateFleet(), newSimulatePeople(),
		newSimulatePhones(), newSimulateMerge())
	return cmd
}
