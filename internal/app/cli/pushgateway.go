package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/simulators/pushgateway"
)

func newPushGateway() *cobra.Command {
	var cfg pushgateway.Config
	var addr string
	cmd := &cobra.Command{
		Use:   "pushgateway",
		Short: "Run a local push gateway with the APIs of Expo, FCM and APNs",
		Long: `Run a push gateway until Ctrl-C: Expo's push API, FCM HTTP v1 and APNs (HTTP/2 without TLS) on one address, with their
errors and limits. Simulated phones register with it to get tokens, and it stores the messages that each phone received.
To use it with a backend, set the backend's --push-url to its URL. No message leaves this machine.`,
		Example: `  tabletop pushgateway
  tabletop pushgateway --addr 127.0.0.1:0 --receipts-after 15m
  curl -d '{"platform":"ios"}' http://127.0.0.1:8090/gateway/phones
  curl http://127.0.0.1:8090/gateway/deliveries`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cfg.ReceiptAfter < 0 || cfg.ExpoPerSecond < 1 || cfg.FCMPerMinute < 1 || cfg.DevicePerMinute < 1 {
				return command.Usagef("value out of range: use limits of 1 or more, and a --receipts-after of 0 or more")
			}
			running, err := serve(cmd.Context(), "addr", addr, pushgateway.New(cfg))
			if err != nil {
				return err
			}
			_, _ = fmt.Fprintln(cmd.OutOrStdout(), pushgateway.Guide(running.url)+"Press Ctrl-C to stop.")
			select {
			case <-cmd.Context().Done():
				return running.stop()
			case err := <-running.result:
				return err
			}
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&addr, "addr", "127.0.0.1:8090", "Address of the gateway. Port 0 picks a free port.")
	flags.StringSliceVar(&cfg.TrustedHosts, "trusted-host", nil,
		"Additional host name that clients, and web pages, may use to "+
			"call the gateway. IP addresses, localhost and names without a dot are always accepted. Repeatable.")
	flags.Uint64Var(&cfg.Seed, "seed", 1, "Random seed. The same seed generates the same tokens.")
	flags.StringVar(&cfg.Project, "project", "tabletop", "Expo and Firebase project of phones that register without one.")
	flags.StringVar(&cfg.Topic, "topic", "com.example.app", "Bundle ID of the iOS app.")
	flags.StringVar(&cfg.ExpoToken, "expo-token", "", "Access token that Expo's API requires. Default: none.")
	flags.BoolVar(&cfg.AnyHTTP, "any-http", false, "Serve APNs over HTTP/1.1 too.")
	flags.DurationVar(&cfg.ReceiptAfter, "receipts-after", time.Second, "Time until an Expo receipt is available.")
	flags.IntVar(&cfg.ExpoPerSecond, "expo-per-second", 600, "Maximum notifications per second for an Expo project.")
	flags.IntVar(&cfg.FCMPerMinute, "fcm-per-minute", 600_000, "Maximum messages per minute for a Firebase project.")
	flags.IntVar(&cfg.DevicePerMinute, "device-per-minute", 240,
		"Maximum messages per minute to one device over FCM and APNs.")
	return cmd
}
