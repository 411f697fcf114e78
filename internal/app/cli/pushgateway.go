package cli

import (
	"fmt"
	"io"
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
		Short: "Run a gateway that speaks Expo's, FCM's and APNs' interfaces",
		Long: `Run a push gateway until Ctrl-C: Expo's push API, FCM HTTP v1 and APNs (HTTP/2 without TLS) on one address, with their
errors and limits. Simulated phones register with it and are told tokens; it keeps what each phone received. Give a
backend its address by --push-url. No notification leaves this machine.`,
		Example: `  tabletop pushgateway
  tabletop pushgateway --addr 127.0.0.1:0 --receipts-after 15m
  curl -d '{"platform":"ios"}' http://127.0.0.1:8090/gateway/phones
  curl http://127.0.0.1:8090/gateway/deliveries`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cfg.ReceiptAfter < 0 || cfg.ExpoPerSecond < 1 || cfg.FCMPerMinute < 1 || cfg.DevicePerMinute < 1 {
				return command.Usagef("the limits are at least 1 and --receipts-after is not negative: leave them out for their defaults")
			}
			running, err := serve(cmd.Context(), "addr", addr, pushgateway.New(cfg))
			if err != nil {
				return err
			}
			describeGateway(cmd.OutOrStdout(), running.url)
			select {
			case <-cmd.Context().Done():
				return running.stop()
			case err := <-running.ended:
				return err
			}
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&addr, "addr", "127.0.0.1:8090", "address of the gateway; port 0 picks a free port")
	flags.StringSliceVar(&cfg.TrustedHosts, "trusted-host", nil, "host name by which clients may call the gateway, and whose web pages may, beside addresses, localhost and names without a dot; repeatable")
	flags.Uint64Var(&cfg.Seed, "seed", 1, "the same seed gives out the same tokens")
	flags.StringVar(&cfg.Project, "project", "tabletop", "Expo and Firebase project of phones that name none")
	flags.StringVar(&cfg.Topic, "topic", "com.example.app", "bundle id of the iOS app")
	flags.StringVar(&cfg.ExpoToken, "expo-token", "", "access token that Expo demands; without it none is")
	flags.BoolVar(&cfg.AnyHTTP, "any-http", false, "have APNs answer over HTTP/1.1 too")
	flags.DurationVar(&cfg.ReceiptAfter, "receipts-after", time.Second, "time until an Expo receipt is there")
	flags.IntVar(&cfg.ExpoPerSecond, "expo-per-second", 600, "notifications a second for an Expo project")
	flags.IntVar(&cfg.FCMPerMinute, "fcm-per-minute", 600_000, "messages a minute for a Firebase project")
	flags.IntVar(&cfg.DevicePerMinute, "device-per-minute", 240, "messages a minute for one device, by FCM and APNs")
	return cmd
}

// describeGateway prints where the gateway listens, and the first commands to try.
func describeGateway(w io.Writer, url string) {
	_, _ = fmt.Fprintf(w, `Expo         %s/--/api/v2/push/send
FCM          %s/v1/projects/…/messages:send
APNs         %s/3/device/…   HTTP/2 without TLS
Deliveries   %s/gateway/deliveries
A phone      curl -d '{"platform":"ios"}' %s/gateway/phones
Ctrl-C stops it
`, url, url, url, url, url)
}
