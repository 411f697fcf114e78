package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/app/cli/emulatorcmd"
)

// upFlags holds the flags of `tabletop up`.
type upFlags struct {
	emulator    emulatorcmd.Flags
	access      emulatorcmd.AdminAccess
	backend     backendFlags
	fleet       fleetFlags
	pushAddr    string
	backendUser string // the identity that the backend runs as
	pages       *consolePages
}

// hasFleet reports whether a fleet of devices runs.
func (f *upFlags) hasFleet() bool { return f.fleet.devices != 0 }

// check rejects combinations of flags that cannot work.
func (f *upFlags) check() error {
	switch {
	case (f.emulator.Identities == "") != (f.backendUser == ""):
		return command.Usagef(
			"--identities and --backend-user require each other: set --backend-user to a user of --identities")
	case f.hasFleet() && !f.backend.runs("telemetry"):
		return command.Usagef("--systems %s: the fleet requires telemetry: add it, or set --devices 0 to run no fleet",
			strings.Join(f.backend.systems, ","))
	case !f.emulator.HasCosmos() && slices.Contains(f.backend.systems, "notification"):
		return command.Usagef("--systems %s: notification requires Cosmos DB, which is off: set --cosmos-addr",
			strings.Join(f.backend.systems, ","))
	}
	return nil
}

func newUp() *cobra.Command {
	var f upFlags
	f.pages = &consolePages{stack: &f}
	f.emulator.Pages = f.pages
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Run the emulator, backends, push gateway and simulated devices together",
		Long: `Run everything in one process until Ctrl-C: the emulator of DynamoDB and Cosmos DB, the backends of all systems and
their workers, a push gateway, and a fleet of simulated devices that sends readings to the telemetry backend.

When the command is stopped, the fleet delivers its buffered readings, reads all readings back, and reports any that
were lost, and rules of the telemetry document that do not hold in the database. With --devices 0 there is no fleet, and
the databases are yours alone.`,
		Example: `  tabletop up
  tabletop up --devices 0
  tabletop up --devices 10000 --speed 1
  tabletop up --dynamodb-addr 127.0.0.1:0 --backend-addr 127.0.0.1:0 --push-addr 127.0.0.1:0
  tabletop up --data ./data
  tabletop up --like-cloud=throttling
  tabletop up --identities identities.yaml --backend-user telemetry`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return runStack(cmd, f) },
	}
	f.emulator.BindGroups(cmd.Flags())
	command.GroupFlags(cmd.Flags(), "Control", f.access.Bind)
	command.GroupFlags(cmd.Flags(), "Backend", func(flags *pflag.FlagSet) {
		f.backend.bind(flags)
		f.backend.bindWorkers(flags, true)
		flags.StringVar(&f.backendUser, "backend-user", "", "User of --identities whose access key the backends use.")
	})
	cmd.Flags().Lookup("push-url").Usage = "URL of Expo's push service or of another tabletop pushgateway. " +
		"Default: the push gateway at --push-addr."
	command.GroupFlags(cmd.Flags(), "Fleet", func(flags *pflag.FlagSet) { f.fleet.bind(flags, 1000, 30) })
	cmd.Flags().Lookup("devices").Usage = "Number of simulated devices, 0 to 10000. With 0, no fleet runs."
	cmd.Flags().StringVar(&f.pushAddr, "push-addr", "127.0.0.1:8090",
		"Address of the push gateway. Port 0 picks a free port. Ignored with --push-url.")
	return cmd
}
