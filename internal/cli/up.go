package cli

import (
	"github.com/spf13/cobra"
)

// upFlags configure a whole desk.
type upFlags struct {
	emulator emulatorFlags
	backend  backendFlags
	fleet    fleetFlags
	pushAddr string
	user     string // of the identities that the backend runs as
}

func newUp() *cobra.Command {
	var f upFlags
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Run emulator, backends, push gateway and a simulated fleet together",
		Long: `Run the DynamoDB emulator, the backends of all systems on it, the gateway that their push messages go to, and a fleet of
simulated devices that feeds the telemetry backend, until Ctrl-C.
Then the fleet delivers what it has buffered, reads everything back and says whether any reading was lost.`,
		Example: `  tabletop up
  tabletop up --devices 10000 --speed 1
  tabletop up --dynamodb-addr 127.0.0.1:0 --backend-addr 127.0.0.1:0 --push-addr 127.0.0.1:0
  tabletop up --data ./data
  tabletop up --like-cloud=throttling
  tabletop up --identities identities.yaml --backend-user telemetry`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDesk(cmd, f) },
	}
	f.emulator.bind(cmd.Flags())
	f.backend.bind(cmd.Flags())
	f.fleet.bind(cmd.Flags(), 1000, 30)
	cmd.Flags().StringVar(&f.pushAddr, "push-addr", "127.0.0.1:8090", "address of the push gateway; port 0 picks a free port; none runs with --push-url")
	cmd.Flags().StringVar(&f.user, "backend-user", "", "user of --identities that the backend runs as")
	return cmd
}
