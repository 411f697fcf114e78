package cli

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/spf13/cobra"

	"github.com/tabletop-db/tabletop/backend/notification"
	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/features/targets"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/app/cli/emulatorcmd"
	"github.com/tabletop-db/tabletop/internal/model/heatmap"
	"github.com/tabletop-db/tabletop/loadtest"
	"github.com/tabletop-db/tabletop/loadtest/history"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/report"
	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/loadtest/traffic"
	"github.com/tabletop-db/tabletop/loadtest/usage"
	"github.com/tabletop-db/tabletop/loadtest/verdict"
)

// arena is where load profiles run: on a backend that is already running, or each on a backend and tables of its own.
// On the target embedded, each profile also has its own emulator, configured as the profile requires.
type arena struct {
	cmd    *cobra.Command
	flags  *loadFlags
	target *targets.Target // shared by all profiles; nil: an emulator for each, or a running backend
}

func (f *loadFlags) openArena(cmd *cobra.Command) (*arena, error) {
	a := &arena{cmd: cmd, flags: f}
	if f.backendURL != "" {
		return a, nil
	}
	if spec, err := targets.Parse(f.target.name); err == nil && spec.Kind == targets.Embedded {
		return a, nil
	}
	var err error
	a.target, err = f.target.openAny(cmd.Context(), command.Logger(cmd))
	return a, err
}

func (a *arena) close() error {
	if a.target == nil {
		return nil
	}
	return a.target.Close()
}

// attempt runs a profile, and repeats it while it misses only time limits and tries are left. shown receives the report
// of each try.
func (a *arena) attempt(p profile.Profile, shown func(*result.Report) error) (*result.Report, error) {
	var earlier [][]result.Verdict
	for {
		r, err := a.run(p, earlier)
		if err == nil {
			err = shown(r)
		}
		if err != nil || !verdict.OnlyTimeFailed(r) || len(earlier)+1 >= a.flags.tries {
			return r, err
		}
		earlier = append(earlier, r.Failed())
	}
}

// run runs a profile. Each further try uses a different seed, because devices of an earlier try may still exist.
func (a *arena) run(p profile.Profile, earlier [][]result.Verdict) (r *result.Report, err error) {
	cfg := loadtest.Config{Profile: p, Duration: a.flags.duration, RateScale: a.flags.scale, Seed: a.flags.seed, Export: a.flags.export}
	if cfg.Seed != 0 {
		cfg.Seed += uint64(len(earlier))
	}
	stop, err := a.place(&cfg)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	progress, done := loadtest.ShowProgress(a.cmd.ErrOrStderr())
	cfg.Progress = progress
	r, err = loadtest.Run(a.cmd.Context(), cfg)
	done()
	if err != nil {
		return nil, err
	}
	r.Earlier = earlier
	return r, nil
}

// print prints a report on the terminal.
func (a *arena) print(r *result.Report) error { return report.Text(a.cmd.OutOrStdout(), r) }

// over prints the report of a try and adds it to the history.
func (a *arena) over(r *result.Report) error {
	if err := a.print(r); err != nil || a.flags.history == "" {
		return err
	}
	return history.Append(a.flags.history, history.Of(r, a.flags.commit, a.flags.scale))
}

// place sets what the profile runs against, and returns a function that stops it.
func (a *arena) place(cfg *loadtest.Config) (stop func() error, err error) {
	if a.flags.backendURL != "" {
		cfg.BaseURL, cfg.AdminToken = a.flags.backendURL, a.flags.adminToken
		return func() error { return nil }, nil
	}
	t, closeDatabase, err := a.database(cfg)
	if err != nil {
		return nil, err
	}
	if err := refuseWithout(t, cfg.Profile); err != nil {
		return nil, errors.Join(err, closeDatabase())
	}
	prefix := t.TablePrefix + strings.ToLower(cfg.Profile.ID) + "-"
	cfg.Target, cfg.Meter, cfg.Database = t.Name, new(usage.Meter), &traffic.Database{AWS: t.Config, Prefix: prefix}
	if t.Emulator != nil {
		cfg.Heat = heatOf(t.Endpoint)
	}
	if cfg.Profile.OnDatabase() {
		return closeDatabase, nil
	}
	if cfg.Profile.OnCosmos() {
		if err := onCosmos(cfg, t); err != nil {
			return nil, errors.Join(err, closeDatabase())
		}
	}
	running, token, err := a.backend(cfg, t)
	if err != nil {
		return nil, errors.Join(err, closeDatabase())
	}
	cfg.BaseURL, cfg.AdminToken = running.url, token
	return func() error { return errors.Join(running.stop(), closeDatabase()) }, nil
}

// database returns the shared target, or an emulator for this profile alone.
func (a *arena) database(cfg *loadtest.Config) (t *targets.Target, stop func() error, err error) {
	if a.target != nil {
		return a.target, func() error { return nil }, nil
	}
	var options []emulator.Option
	if pieces := cfg.Profile.LikeCloud; len(pieces) > 0 {
		named, err := emulator.ParsePieces(strings.Join(pieces, ","))
		if err != nil {
			return nil, nil, command.Usagef("like_cloud: %v", err)
		}
		options, cfg.LikeCloud = append(options, emulator.WithLikeCloud(named...)), pieces
	}
	if t, err = targets.Embed(options...); err != nil {
		return nil, nil, err
	}
	return t, t.Close, nil
}

// backend starts a backend of the profile's system, with the meter attached to its database client and around its
// handler.
func (a *arena) backend(cfg *loadtest.Config, t *targets.Target) (running *served, token string, err error) {
	f := backendFlags{
		addr: "127.0.0.1:0", prefix: cfg.Database.Prefix, pepper: randomToken(), retention: deskRetention, systems: []string{cfg.Profile.System},
		client: []func(*dynamodb.Options){cfg.Meter.Attach}, around: cfg.Meter.Watch,
	}
	if a.target != nil && a.target.Name != string(targets.AWS) {
		f.keyset = inMemory // few targets have a KMS
	}
	if cfg.Cosmos != nil {
		f.throughput.Autoscale = int32(cfg.Profile.Shorten(cfg.Duration, cfg.RateScale).Autoscale)
		if f.cosmos, err = t.Cosmos(&azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{PerRetryPolicies: []policy.Policy{cfg.Cosmos.Meter}}}); err != nil {
			return nil, "", err
		}
	}
	running, err = f.start(context.WithoutCancel(a.cmd.Context()), cfg.Database.AWS, time.Now, command.Logger(a.cmd))
	return running, f.adminToken, err
}

// lacks returns why the shared target cannot run a profile, or "" if it can.
func (a *arena) lacks(p profile.Profile) (reason string) {
	if a.target != nil {
		reason, _ = a.target.Can(database(p))
	}
	return reason
}

// database returns the database that a profile runs on.
func database(p profile.Profile) targets.Capability {
	if p.OnCosmos() {
		return targets.CosmosDB
	}
	return targets.DynamoDB
}

// refuseWithout returns the error of a target that lacks the database of a profile.
func refuseWithout(t *targets.Target, p profile.Profile) error {
	reason, ok := t.Can(database(p))
	switch {
	case ok:
		return nil
	case p.OnCosmos():
		return command.Usagef("requires Cosmos DB: %s; use --target embedded, cosmos=https://HOST:PORT or azure", reason)
	}
	return command.Usagef("requires DynamoDB: %s; use --target embedded, url=http://HOST:PORT, dynamodb-local or aws", reason)
}

// onCosmos sets up cfg for a profile of a system on Cosmos DB: what to measure there.
func onCosmos(cfg *loadtest.Config, t *targets.Target) error {
	client, err := t.Cosmos(nil)
	if err != nil {
		return err
	}
	cfg.Cosmos = &traffic.Cosmos{Client: client, Database: cfg.Database.Prefix + notification.Database, Meter: new(usage.CosmosMeter)}
	return nil
}

// heatOf returns a function that reads the load by partition from the emulator.
func heatOf(endpoint string) func(context.Context) ([]heatmap.Table, error) {
	f := emulatorcmd.AdminFlags{Endpoint: endpoint}
	return func(ctx context.Context) (tables []heatmap.Table, err error) {
		return tables, f.Call(ctx, http.MethodGet, "/heat", nil, &tables)
	}
}
