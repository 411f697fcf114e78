package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/backend/notification"
	"github.com/tabletop-db/tabletop/backend/observe"
	"github.com/tabletop-db/tabletop/features/targets"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/util/version"
)

// defaultPepper is mixed into the hashes of API keys if no other pepper is given, so that keys survive a restart.
const defaultPepper = "tabletop-desk"

// defaultRetention is the documented time to keep readings.
const defaultRetention = 90 * 24 * time.Hour

// backendFlags holds the flags that configure the backend, independent of its database.
type backendFlags struct {
	addr           string
	adminToken     string
	pepper         string
	prefix         string
	systems        []string
	issuer         string
	audience       string
	pushURL        string
	retention      time.Duration
	trustedHosts   []string // no flag: set by the commands
	keyset         string
	keysetText     []byte // no flag: replaces the file of keyset
	uploads        string
	tlsCert        string
	tlsKey         string
	tablesReady    bool
	otlpEndpoint   string
	runWorkers     bool
	tokenGenerated bool                            // set by start: adminToken was generated
	observer       *observe.Observer               // set by startObserver, before the account's client is created
	cosmos         *azcosmos.Client                // no flag: client of the systems on Cosmos DB; nil: they do not run
	throughput     notification.Throughput         // no flag: throughput of their containers
	workers        []string                        // set by start: the background work
	clientOptions  []func(*dynamodb.Options)       // no flag: options for the database client
	middleware     func(http.Handler) http.Handler // no flag: wraps the handler
}

func (f *backendFlags) bind(flags *pflag.FlagSet) {
	flags.StringVar(&f.addr, "backend-addr", "127.0.0.1:8080", "Address of the backend. Port 0 picks a free port.")
	flags.StringVar(&f.adminToken, "admin-token", "",
		"Bearer token for the admin routes. Default: a random token, which is printed.")
	flags.StringVar(&f.pepper, "pepper", defaultPepper, "Secret pepper for hashing API keys.")
	flags.StringVar(&f.prefix, "prefix", "", "Prefix of table names.")
	flags.StringSliceVar(&f.systems, "systems", nil, "Systems to run, separated by commas: "+
		strings.Join(backend.Names(), ", ")+". Default: all systems whose database is available.")
	flags.StringVar(&f.issuer, "oidc-issuer", "", "OpenID Connect issuer of users' bearer tokens. "+
		"Default: the backend itself, which issues a token to any caller of /auth/token.")
	flags.StringVar(&f.audience, "oidc-audience", "", "Audience that tokens of --oidc-issuer must have.")
	flags.StringVar(&f.pushURL, "push-url", "",
		"URL of Expo's push service or of tabletop pushgateway. Default: none; no push messages are sent.")
	flags.StringVar(&f.keyset, "pii-keyset", "", "JSON file of the Tink keyset that replaces KMS on a target "+
		"without it. The file is created if it does not exist.")
	flags.StringVar(&f.uploads, "uploads", "",
		"Storage for uploaded documents: a folder or s3://BUCKET. Default: memory.")
	flags.DurationVar(&f.retention, "retention", defaultRetention, "Retention period of readings.")
	flags.StringVar(&f.otlpEndpoint, "otlp-endpoint", "", "URL of the OTLP/HTTP collector for the backend's traces and "+
		"metrics, such as http://127.0.0.1:4318. Also set by OTEL_EXPORTER_OTLP_ENDPOINT. /metrics is always served.")
}

// bindWorkers adds the --work flag, whose default differs between commands.
func (f *backendFlags) bindWorkers(flags *pflag.FlagSet, fallback bool) {
	flags.BoolVar(&f.runWorkers, "work", fallback,
		"Run the workers: create notifications for enqueued events every second, send kefir's reminders every minute "+
			"and expire verification cases every hour. If false, run them with tabletop job.")
}

// startObserver starts collecting traces and metrics of the backend. Stop it with closeObserver.
func (f *backendFlags) startObserver(ctx context.Context, log *slog.Logger) (err error) {
	if f.observer, err = observe.New(ctx, observe.Config{Endpoint: f.otlpEndpoint, Version: version.Current(),
		Logger: log}); err != nil {
		return command.Usagef("--otlp-endpoint %v", err)
	}
	return nil
}

// closeObserver sends the traces and metrics that are still pending. If the collector is not available, it only logs a
// warning: a backend that has done its work does not fail for that.
func (f *backendFlags) closeObserver(log *slog.Logger) {
	if err := f.observer.Close(context.Background()); err != nil {
		log.Warn("failed to send the last traces and metrics", "endpoint", f.otlpEndpoint, "error", err)
	}
}

// check rejects invalid flags, without a connection to the database.
func (f *backendFlags) check() error {
	for _, name := range f.systems {
		if !slices.Contains(backend.Names(), name) {
			return command.Usagef("--systems: unknown system %q: use one or more of %s", name,
				strings.Join(backend.Names(), ", "))
		}
	}
	if f.retention <= 0 {
		return command.Usagef("--retention %v is not positive: use a duration such as 2160h", f.retention)
	}
	if f.pepper == "" {
		return command.Usagef("--pepper is empty: set it, or TABLETOP_PEPPER, to a long random string and keep it")
	}
	if (f.tlsCert == "") != (f.tlsKey == "") {
		return command.Usagef("--tls-cert and --tls-key require each other: set both")
	}
	if err := checkPrefix(f.prefix); err != nil {
		return err
	}
	return checkPushURL(f.pushURL)
}

// start creates the missing tables and serves the backend on them. now is the backend's clock.
func (f *backendFlags) start(ctx context.Context, cfg aws.Config, now func() time.Time,
	log *slog.Logger) (*runningServer, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	if f.adminToken == "" {
		f.adminToken, f.tokenGenerated = randomToken(), true
	}
	tokens, err := f.tokenVerifier(now)
	if err != nil {
		return nil, err
	}
	keyset, err := f.piiKeyset()
	if err != nil {
		return nil, err
	}
	encrypted, err := f.tlsConfig()
	if err != nil {
		return nil, err
	}
	s, err := backend.New(backend.Config{
		TLS: encrypted, TrustedHosts: f.trustedHosts, PIIKeyset: keyset, Uploads: f.uploads,
		Systems: f.systems, Tokens: tokens, PushURL: f.pushURL, AWS: cfg, TablePrefix: f.prefix, AdminToken: f.adminToken,
		Pepper: f.pepper, Retention: f.retention, Now: now, Logger: log,
		RunWorkers: f.runWorkers, Cosmos: f.cosmos, CosmosThroughput: f.throughput, ClientOptions: f.clientOptions,
		Middleware: f.middleware, Observer: f.observer,
	})
	if err != nil {
		return nil, command.Usagef("cannot start the backend: %v", err)
	}
	f.workers = s.Workers()
	if !f.tablesReady {
		if err := s.CreateTables(ctx); err != nil {
			return nil, err
		}
	}
	running, err := serve(ctx, "backend-addr", f.addr, s)
	if err == nil && encrypted != nil {
		running.url = "https" + strings.TrimPrefix(running.url, "http")
	}
	return running, err
}

// runs reports whether a system is among those to run.
func (f *backendFlags) runs(system string) bool {
	return len(f.systems) == 0 || slices.Contains(f.systems, system)
}

// displayedToken returns the admin token if this command generated it. A given token is not printed, because a
// service's output is kept as a log.
func (f *backendFlags) displayedToken() string {
	if f.tokenGenerated {
		return f.adminToken
	}
	return "set by --admin-token"
}

// tokenInCommands returns the token for use in a printed command: a placeholder if the token was given.
func (f *backendFlags) tokenInCommands() string {
	if f.tokenGenerated {
		return f.adminToken
	}
	return "ADMIN_TOKEN"
}

// describeWorkers returns the names of the background workers.
func (f *backendFlags) describeWorkers() string {
	if len(f.workers) == 0 {
		return "none; see tabletop job --help"
	}
	return strings.Join(f.workers, ", ")
}

// checkPushURL rejects a URL that cannot be a push service's. An empty one is allowed.
func checkPushURL(text string) error {
	at, err := url.Parse(text)
	if text != "" && (err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https") {
		return command.Usagef("--push-url %q is not a URL: use one such as http://127.0.0.1:8090", text)
	}
	return nil
}

// tokenVerifier returns the verifier of users' tokens, or nil if the backend issues its own.
func (f *backendFlags) tokenVerifier(now func() time.Time) (auth.Verifier, error) {
	if (f.issuer == "") != (f.audience == "") {
		return nil, command.Usagef("--oidc-issuer and --oidc-audience require each other: set both")
	}
	if f.issuer == "" {
		return nil, nil
	}
	tokens, err := auth.NewOIDC(f.issuer, f.audience, nil, now)
	if err != nil {
		return nil, command.Usagef("--oidc-issuer: %v", err)
	}
	return tokens, nil
}

// randomToken returns 128 random bits as hexadecimal text.
func randomToken() string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

func newBackend() *cobra.Command {
	var f backendFlags
	var target targetFlags
	var account cosmosAccountFlags
	cmd := &cobra.Command{
		Use:   "backend",
		Short: "Run the backends on a target",
		Long: `Run the backends on a target until Ctrl-C or SIGTERM. By default the target is an emulator that is already
running on this machine. Missing tables and containers are created unless --tables-ready is set. The page /docs links
to the API documentation of each system.

The notification system uses Cosmos DB and runs only with --cosmos-endpoint. To process enqueued events, due reminders
and expired cases, set --work or run tabletop job notifications, reminders and expire.`,
		Example: `  tabletop backend
  tabletop backend --systems kefir,devicetoken --push-url http://127.0.0.1:8090
  tabletop backend --target embedded --backend-addr 127.0.0.1:0
  tabletop backend --cosmos-endpoint https://127.0.0.1:8081 --push-url http://127.0.0.1:8090 --work
  tabletop backend --target aws --yes-spend --prefix dev- --pepper "$SECRET" --oidc-issuer https://id.example.com --oidc-audience tabletop --uploads s3://documents`,
		Args: command.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if err := f.startObserver(cmd.Context(), command.Logger(cmd)); err != nil {
				return err
			}
			defer f.closeObserver(command.Logger(cmd))
			account.tracing = f.observer.Cosmos()
			if f.cosmos, err = account.open(cmd.Context(), target.yesSpend); err != nil {
				return err
			}
			f.throughput = account.throughput()
			return runBackend(cmd, f, target)
		},
	}
	f.bind(cmd.Flags())
	f.bindWorkers(cmd.Flags(), false)
	account.bind(cmd.Flags())
	cmd.Flags().Int32Var(&account.autoscale, "cosmos-autoscale", 0, "Maximum autoscale throughput of each container "+
		"that is created, in RU/s; the minimum is a tenth of it. 0 sets a fixed throughput of 400 RU/s.")
	cmd.Flags().StringVar(&f.tlsCert, "tls-cert", "",
		"PEM file of a certificate. The backend then serves TLS 1.2 or newer. Requires --tls-key.")
	cmd.Flags().StringVar(&f.tlsKey, "tls-key", "", "PEM file of the certificate's private key.")
	cmd.Flags().StringSliceVar(&f.trustedHosts, "trusted-host", nil,
		"Additional host name that clients, and web pages, may "+
			"use to call a backend without --oidc-issuer. IP addresses, localhost and names without a dot are always "+
			"accepted. Repeatable.")
	cmd.Flags().BoolVar(&f.tablesReady, "tables-ready", false,
		"Do not create tables. They must exist; the credentials "+
			"need only the permissions of the backend itself.")
	target.bind(cmd.Flags(), "url=http://127.0.0.1:8000")
	return cmd
}

func runBackend(cmd *cobra.Command, f backendFlags, target targetFlags) (err error) {
	ctx := cmd.Context()
	if err := f.check(); err != nil {
		return err
	}
	if target.name == string(targets.AWS) && f.pepper == defaultPepper {
		return command.Usagef("the default pepper is public: set --pepper to a secret of your own for the target aws")
	}
	if target.name == string(targets.AWS) && f.issuer == "" {
		return command.Usagef(
			"without an issuer anyone can get a token: set --oidc-issuer and --oidc-audience for the target aws")
	}
	if target.name == string(targets.AWS) && f.runs("verification") && !strings.HasPrefix(f.uploads, "s3://") {
		return command.Usagef("uploaded documents would stay on this machine, outside af-south-1: " +
			"set --uploads s3://BUCKET for the target aws, or exclude verification with --systems")
	}
	t, err := target.open(ctx, command.Logger(cmd))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	running, err := f.start(ctx, t.Config, time.Now, command.Logger(cmd))
	if err != nil {
		return err
	}
	account := ""
	if f.cosmos != nil {
		account = "Cosmos DB    " + f.cosmos.Endpoint() + "\n"
	}
	_, _ = fmt.Fprintf(cmd.OutOrStdout(),
		"Backend      %s/docs\nDatabase     %s\n%sWorkers      %s\nAdmin token  %s\nPress Ctrl-C to stop.\n",
		running.url, t.Name, account, f.describeWorkers(), f.displayedToken())
	select {
	case <-ctx.Done():
		return running.stop()
	case err := <-running.result:
		return err
	}
}
