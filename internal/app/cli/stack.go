package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/cosmosclient"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/app/cli/emulatorcmd"
	"github.com/tabletop-db/tabletop/internal/app/extensions"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/simulators/pushgateway"
	"github.com/tabletop-db/tabletop/simulators/telemetryapi"
)

// stack is the set of servers that `tabletop up` runs in one process.
type stack struct {
	flags    upFlags
	emulator *emulator.Emulator
	backend  *runningServer
	gateway  *runningServer // for push messages; nil if --push-url names another
	log      *slog.Logger
	apiKey   string // for the user; the fleet creates its own keys. Empty without the telemetry backend
}

// runStack starts everything, runs until the command is asked to stop, and stops everything in reverse order.
func runStack(cmd *cobra.Command, f upFlags) (err error) {
	if f.hasFleet() {
		if _, err := f.fleet.config("http://127.0.0.1", "", "checked before anything starts"); err != nil {
			return err
		}
	}
	if err := f.check(); err != nil {
		return err
	}
	d := &stack{flags: f}
	defer func() { err = emulatorcmd.CloseAfter(d.emulator, err, d.stop) }()
	if err := d.start(cmd); err != nil {
		return err
	}
	d.describe(cmd.OutOrStdout())
	return emulatorcmd.UntilFailure(d.emulator, func() error { return d.run(cmd) })
}

// run runs the fleet, or waits without one, until the duration is over or the command is asked to stop.
func (d *stack) run(cmd *cobra.Command) error {
	d.flags.pages.parts.SetBackend(extensions.Backend{URL: d.backend.url, AdminToken: d.flags.backend.adminToken,
		Gateway: d.flags.backend.pushURL})
	if !d.flags.hasFleet() {
		return d.flags.fleet.wait(cmd.Context())
	}
	cfg, err := d.flags.fleet.config(d.backend.url, "", d.flags.backend.adminToken)
	if err != nil {
		return err
	}
	cfg.Progress = d.flags.pages.parts.ReportFleet(cfg)
	if d.flags.backendUser == "" { // an identity of the user's may not be allowed to scan
		cfg.Invariants = d.telemetryInvariants
	}
	return runFleet(cmd, cfg, "", textProgress)
}

// telemetryInvariants stops the backend, so that nothing writes, and checks the rules of telemetry in its tables. What
// cannot be checked, such as tables that are throttled, is logged: it is no fault of the fleet.
func (d *stack) telemetryInvariants(ctx context.Context) (checked int, broken []string, err error) {
	stopped := d.backend
	d.backend = nil
	if err := stopped.stop(); err != nil {
		return 0, nil, err
	}
	checked, breaks, err := backend.CheckInvariants(ctx, "telemetry", backend.Config{AWS: d.awsConfig(),
		TablePrefix: d.flags.backend.prefix}, nil)
	if err != nil {
		d.log.Warn("the invariants of telemetry were not checked", "error", err)
		return 0, nil, nil
	}
	for _, b := range breaks {
		broken = append(broken, b.Short())
	}
	return checked, broken, nil
}

// start starts all servers and returns once each responds.
func (d *stack) start(cmd *cobra.Command) (err error) {
	// Clients still talk to the database and the backend while the fleet is being stopped.
	ctx := context.WithoutCancel(cmd.Context())
	d.flags.emulator.OTLPEndpoint = d.flags.backend.otlpEndpoint
	if d.emulator, err = d.flags.emulator.Start(command.Logger(cmd), d.flags.access.Options()...); err != nil {
		return err
	}
	if slices.Contains(d.flags.emulator.LikeCloud, emulator.States) {
		_, _ = fmt.Fprintln(cmd.ErrOrStderr(), "Creating the backends' tables takes about a minute with --like-cloud=states.")
	}
	if err := d.startGateway(ctx); err != nil {
		return err
	}
	d.log = command.Logger(cmd)
	if err := d.flags.backend.startObserver(ctx, d.log); err != nil {
		return err
	}
	if d.emulator.CosmosURL() != "" {
		options := &azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{
			TracingProvider: d.flags.backend.observer.Cosmos()}}
		if d.flags.backend.cosmos, err = cosmosclient.New(d.emulator, options); err != nil {
			return err
		}
	}
	d.flags.backend.trustedHosts = d.flags.emulator.Hosts
	d.backend, err = d.flags.backend.start(ctx, d.awsConfig(), d.emulator.Now, command.Logger(cmd))
	if err != nil {
		return err
	}
	if err := checkHealth(ctx, d.backend.url); err != nil {
		return err
	}
	if !d.flags.backend.runs("telemetry") {
		return nil
	}
	admin := &telemetryapi.Client{BaseURL: d.backend.url, AdminToken: d.flags.backend.adminToken}
	key, err := admin.CreateKey(ctx, "tabletop up")
	d.apiKey = key.APIKey
	return err
}

// startGateway starts the gateway for push messages, unless --push-url names another.
func (d *stack) startGateway(ctx context.Context) (err error) {
	if d.flags.backend.pushURL != "" {
		return nil
	}
	gateway := pushgateway.New(pushgateway.Config{Now: d.emulator.Now, TrustedHosts: d.flags.emulator.Hosts})
	if d.gateway, err = serve(ctx, "push-addr", d.flags.pushAddr, gateway); err == nil {
		d.flags.backend.pushURL = d.gateway.url
		d.flags.pages.parts.SetGateway(gateway, d.gateway.url)
	}
	return err
}

// awsConfig returns the AWS configuration with which the backend reaches the emulator.
func (d *stack) awsConfig() aws.Config {
	if d.flags.backendUser != "" {
		return d.emulator.AWSConfigFor(d.flags.backendUser)
	}
	return d.emulator.AWSConfig()
}

func checkHealth(ctx context.Context, base string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/healthz", nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("the backend at %s is not healthy: %s/healthz returns %s", base, base, res.Status)
	}
	return nil
}

func (d *stack) stop() error {
	var errs []error
	d.flags.emulator.Close()
	if d.backend != nil {
		errs = append(errs, d.backend.stop())
	}
	if d.flags.backend.observer != nil {
		d.flags.backend.closeObserver(d.log)
	}
	if d.gateway != nil {
		errs = append(errs, d.gateway.stop())
	}
	if d.emulator != nil {
		errs = append(errs, d.emulator.Close())
	}
	return errors.Join(errs...)
}

// describe prints what runs where, and the first commands to try.
func (d *stack) describe(w io.Writer) {
	endpoint, base := d.emulator.DynamoDBURL(), d.backend.url
	var b strings.Builder
	fmt.Fprintf(&b, "Tabletop is running.\n\n")
	fmt.Fprintf(&b, "  DynamoDB     %-32s %s\n", endpoint, d.flags.emulator.DataLocation())
	b.WriteString(d.flags.emulator.DescribeCosmos(d.emulator, "  %-13s%s\n"))
	fmt.Fprintf(&b, "  Console      %s/\n", endpoint)
	fmt.Fprintf(&b, "  Backend      %-32s APIs: %s/docs\n", base, base)
	fmt.Fprintf(&b, "  Metrics      %-32s Tables: %s/metrics\n", base+"/metrics", endpoint)
	fmt.Fprintf(&b, "  Workers      %s\n", d.flags.backend.describeWorkers())
	fmt.Fprintf(&b, "  Push         %-32s Delivered messages: %s/gateway/deliveries\n", d.flags.backend.pushURL,
		d.flags.backend.pushURL)
	if fleet := d.flags.fleet; d.flags.hasFleet() {
		fmt.Fprintf(&b, "  Fleet        %-32s %v times real time, seed %d\n", thousands.Sprintf("%d devices", fleet.devices),
			fleet.speed, fleet.seed)
	}
	fmt.Fprintf(&b, "  Admin token  %s\n", d.flags.backend.displayedToken())
	fmt.Fprintf(&b, "\nTry in another terminal:\n\n")
	if d.apiKey != "" {
		fmt.Fprintf(&b, "  curl -H 'X-API-Key: %s' '%s/telemetry/devices?limit=2'\n", d.apiKey, base)
	}
	fmt.Fprintf(
		&b, "  curl -H 'Content-Type: application/json' -d '{\"subject\":\"you\",\"lifetime\":3600}' %s/auth/token   # get a token for the other APIs\n",
		base)
	if d.emulator.CosmosURL() != "" && d.flags.backend.runs("notification") {
		fmt.Fprintf(
			&b, "  curl -H 'Authorization: Bearer %s' -H 'Content-Type: application/json' -d '{\"userId\":\"you\",\"eventType\":\"SECURITY_PASSWORD_CHANGED\"}' %s/notification/events   # send yourself a notification\n",
			d.flags.backend.tokenInCommands(), base)
	}
	if d.flags.backendUser == "" { // with identities, a request needs a key of one of them
		fmt.Fprintf(&b, "  %s\n", emulatorcmd.ListTablesCommand(endpoint))
	}
	fmt.Fprintf(&b, "\nPress Ctrl-C to stop.\n\n")
	_, _ = io.WriteString(w, b.String())
}
