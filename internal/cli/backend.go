package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/features/targets"
)

// deskPepper is mixed into the hashes of API keys where no other is given, so that keys outlive a restart.
const deskPepper = "tabletop-desk"

// deskRetention is the documented time that readings are kept.
const deskRetention = 90 * 24 * time.Hour

// backendFlags configure the backend itself, whatever database it runs on.
type backendFlags struct {
	addr       string
	adminToken string
	pepper     string
	prefix     string
	retention  time.Duration
	client     []func(*dynamodb.Options) // no flag: what a command wants of the database client
}

func (f *backendFlags) bind(flags *pflag.FlagSet) {
	flags.StringVar(&f.addr, "backend-addr", "127.0.0.1:8080", "address of the backend; port 0 picks a free port")
	flags.StringVar(&f.adminToken, "admin-token", "", "token of the admin routes; without it one is made and printed")
	flags.StringVar(&f.pepper, "pepper", deskPepper, "secret mixed into the hashes of API keys")
	flags.StringVar(&f.prefix, "prefix", "", "text before each table's name")
	flags.DurationVar(&f.retention, "retention", deskRetention, "how long readings are kept")
}

// start creates the tables that are missing and serves the backend on them; now is its clock.
func (f *backendFlags) start(ctx context.Context, cfg aws.Config, now func() time.Time, log *slog.Logger) (*served, error) {
	if f.retention <= 0 {
		return nil, usagef("--retention %v: give a positive duration such as 2160h", f.retention)
	}
	if f.pepper == "" {
		return nil, usagef("--pepper is empty: give it, or TABLETOP_PEPPER, a long random text and keep it")
	}
	if err := checkPrefix(f.prefix); err != nil {
		return nil, err
	}
	if f.adminToken == "" {
		f.adminToken = randomToken()
	}
	s, err := backend.New(backend.Config{
		AWS: cfg, TablePrefix: f.prefix, AdminToken: f.adminToken, Pepper: f.pepper, Retention: f.retention, Now: now, Logger: log,
		ClientOptions: f.client,
	})
	if err != nil {
		return nil, usagef("the backend cannot begin: %v", err)
	}
	if err := s.CreateTables(ctx); err != nil {
		return nil, err
	}
	return serve(ctx, "backend-addr", f.addr, s)
}

// randomToken is 128 bits that nobody can guess, as text.
func randomToken() string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

func newBackend() *cobra.Command {
	var f backendFlags
	var target targetFlags
	cmd := &cobra.Command{
		Use:   "backend",
		Short: "Run the telemetry backend on a target",
		Long: `Run the telemetry backend until Ctrl-C or SIGTERM, on the emulator of another terminal or on any other target.
It creates the tables that are not there yet. API description: /telemetry/docs and /telemetry/openapi.json.`,
		Example: `  tabletop backend
  tabletop backend --target embedded --backend-addr 127.0.0.1:0
  tabletop backend --target aws --yes-spend --prefix dev- --pepper "$SECRET"`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return runBackend(cmd, f, target) },
	}
	f.bind(cmd.Flags())
	target.bind(cmd.Flags(), "url=http://127.0.0.1:8000")
	return cmd
}

func runBackend(cmd *cobra.Command, f backendFlags, target targetFlags) (err error) {
	ctx := cmd.Context()
	if target.name == string(targets.AWS) && f.pepper == deskPepper {
		return usagef("the default pepper is known to everyone: give --pepper a secret of your own for the target aws")
	}
	t, err := target.open(ctx, logger(cmd))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	running, err := f.start(ctx, t.Config, time.Now, logger(cmd))
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(cmd.OutOrStdout(), "Backend      %s/telemetry/docs\nDatabase     %s\nAdmin token  %s\nCtrl-C stops it\n",
		running.url, t.Name, f.adminToken)
	select {
	case <-ctx.Done():
		return running.stop()
	case err := <-running.ended:
		return err
	}
}
