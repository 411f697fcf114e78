package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/app/cli/emulatorcmd"
)

// upFlags holds the flags of `tabletop up`.
type upFlags struct {
	emulator emulatorcmd.Flags
	backend  backendFlags
	fleet    fleetFlags
	pushAddr string
	user     string // the identity that the backend runs as
}

// check rejects combinations of flags that cannot work.
func (f *upFlags) check() error {
	switch {
	case (f.emulator.Identities == "") != (f.user == ""):
		return command.Usagef("--identities and --backend-user go together: the backend is one of the users")
	case !f.backend.runs("telemetry"):
		return command.Usagef("--systems %s: the fleet needs telemetry: name it too, or run tabletop emulator and tabletop backend", strings.Join(f.backend.systems, ","))
	case !f.emulator.HasCosmos() && slices.Contains(f.backend.systems, "notification"):
		return command.Usagef("--systems %s: notification is on Cosmos DB, which is off: give it an address by --cosmos-addr", strings.Join(f.backend.systems, ","))
	}
	return nil
}

func newUp() *cobra.Command {
	var f upFlags
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Run emulator, backends, push gateway and a simulated fleet together",
		Long: `Run the emulator of DynamoDB and Cosmos DB, the backends of all systems on it, the workers that make notifications of what is
enqueued and send reminders, the gateway that push messages go to, and a fleet of simulated devices that feeds the telemetry backend, until
Ctrl-C.
Then the fleet delivers what it has buffered, reads everything back and says whether any reading was lost.`,
		Example: `  tabletop up
  tabletop up --devices 10000 --speed 1
  tabletop up --dynamodb-addr 127.0.0.1:0 --backend-addr 127.0.0.1:0 --push-addr 127.0.0.1:0
  tabletop up --data ./data
  tabletop up --like-cloud=throttling
  tabletop up --identities identities.yaml --backend-user telemetry`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDesk(cmd, f) },
	}
	f.emulator.Bind(cmd.Flags())
	f.backend.bind(cmd.Flags())
	f.backend.bindWork(cmd.Flags(), true)
	f.fleet.bind(cmd.Flags(), 1000, 30)
	cmd.Flags().StringVar(&f.pushAddr, "push-addr", "127.0.0.1:8090", "address of the push gateway; port 0 picks a free port; none runs with --push-url")
	cmd.Flags().StringVar(&f.user, "backend-user", "", "user of --identities that the backend runs as")
	return cmd
}
