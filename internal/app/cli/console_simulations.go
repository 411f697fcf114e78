package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/app/extensions"
)

// consoleSimulations returns the simulations that the console of tabletop up can start: the subcommands of tabletop
// simulate.
func consoleSimulations(up *upFlags) []extensions.Simulation {
	return []extensions.Simulation{
		consoleSimulation(newSimulateFleet, func(cmd *cobra.Command) error { return otherFleet(cmd, up) }),
		consoleSimulation(newSimulatePhones, anyValues),
		consoleSimulation(newSimulateBrewers, anyValues),
		consoleSimulation(newSimulateApplicants, anyValues),
		consoleSimulation(newSimulatePeople, anyValues),
	}
}

func anyValues(*cobra.Command) error { return nil }

// otherFleet refuses a fleet of the same devices as those of tabletop up.
func otherFleet(cmd *cobra.Command, up *upFlags) error {
	if seed, _ := cmd.Flags().GetUint64("seed"); up.hasFleet() && seed == up.fleet.seed {
		return command.Usagef("--seed %d makes the devices of the fleet of tabletop up, which run already: use another", seed)
	}
	return nil
}

// consoleSimulation returns a subcommand for the console, which checks its flags like the command, and then with check.
func consoleSimulation(newCommand func() *cobra.Command, check func(*cobra.Command) error) extensions.Simulation {
	cmd := newCommand()
	return extensions.Simulation{
		Name: cmd.Name(), Title: cmd.Short, Parameters: parametersOf(cmd.Flags()),
		Gateway: cmd.Flags().Lookup("gateway") != nil,
		Check: func(args []string) error {
			cmd := newCommand()
			if err := command.CheckFlags(cmd, args); err != nil {
				return err
			}
			return check(cmd)
		},
	}
}

// parametersOf returns the flags that are numbers and durations. All others, such as addresses and paths, are not for
// the console.
func parametersOf(flags *pflag.FlagSet) (all []extensions.Parameter) {
	flags.SortFlags = false // the order of the definitions
	flags.VisitAll(func(f *pflag.Flag) {
		switch f.Value.Type() {
		case "int", "uint64", "float64":
			all = append(all, extensions.Parameter{Name: f.Name, Usage: f.Usage, Type: f.Value.Type(), Default: f.DefValue})
		case "duration":
			all = append(all, extensions.Parameter{Name: f.Name, Usage: f.Usage, Type: f.Value.Type(),
				Default: shortDuration(f.DefValue)})
		}
	})
	return all
}

// shortDuration writes a duration such as 672h0m0s as 672h.
func shortDuration(text string) string {
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-len("0s")]
		}
	}
	return text
}
