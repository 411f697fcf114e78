package cli

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
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
	"github.com/tabletop-db/tabletop/internal/util/heap"
	"github.com/tabletop-db/tabletop/internal/util/processors"
	"github.com/tabletop-db/tabletop/internal/util/version"
	"github.com/tabletop-db/tabletop/loadtest"
	"github.com/tabletop-db/tabletop/loadtest/history"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/report"
	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/loadtest/traffic"
	"github.com/tabletop-db/tabletop/loadtest/usage"
	"github.com/tabletop-db/tabletop/loadtest/verdict"
)

// testbed is where load profiles run: on a backend that is already running, or each on a backend and tables of its own.
// On the target embedded, each profile also has its own emulator, configured as the profile requires.
type testbed struct {
	cmd     *cobra.Command
	flags   *loadFlags
	target  *targets.Target // shared by all profiles; nil: an emulator for each, or a running backend
	metrics *loadMetrics    // nil: none are sent
	runs    int             // number of runs that have begun, each on tables of its own
}

// headroom is the memory in bytes that a load test may allocate between two garbage collections. An emulator keeps to
// less memory; here, the generator, the backend and the emulator of 80,000 items a second share one heap.
const headroom = 256 << 20

func (f *loadFlags) openTestbed(cmd *cobra.Command) (*testbed, error) {
	heap.SetHeadroom(headroom)
	processors.AddOne()
	b := &testbed{cmd: cmd, flags: f}
	if f.backendURL != "" {
		return b, nil
	}
	if spec, err := targets.Parse(f.target.name); err == nil && spec.Kind == targets.Embedded {
		return b, nil
	}
	var err error
	b.target, err = f.target.openAny(cmd.Context(), command.Logger(cmd))
	return b, err
}

func (b *testbed) close() error {
	if b.target == nil {
		return nil
	}
	return b.target.Close()
}

// runWithRetries runs a profile, and runs it again while it fails only time limits and tries are left. onReport
// receives the report of each try.
func (b *testbed) runWithRetries(p profile.Profile, onReport func(*result.Report) error) (*result.Report, error) {
	var earlier [][]result.Verdict
	for {
		r, err := b.run(p, earlier)
		if err != nil {
			return nil, err
		}
		failed, again := r.Failed(), verdict.OnlyTimeFailed(r) && len(earlier)+1 < b.flags.tries
		verdict.MarkUndecided(r, b.flags.strict, b.flags.sharedMachine)
		if err := onReport(r); err != nil || !again {
			return r, err
		}
		earlier = append(earlier, failed)
	}
}

// run runs a profile. Each further try uses a different seed, because devices of an earlier try may still exist.
func (b *testbed) run(p profile.Profile, earlier [][]result.Verdict) (*result.Report, error) {
	cfg := b.config(p)
	if cfg.Seed != 0 {
		cfg.Seed += uint64(len(earlier))
	}
	m, err := b.measure(cfg)
	if err != nil {
		return nil, err
	}
	r, err := m.Report()
	if err != nil {
		return nil, err
	}
	r.Earlier = earlier
	return r, nil
}

// config returns the configuration of a run of a profile, without its target.
func (b *testbed) config(p profile.Profile) loadtest.Config {
	return loadtest.Config{Profile: p, Duration: b.flags.duration, RateScale: b.flags.scale, Seed: b.flags.seed,
		Export: b.flags.export}
}

// measure runs a profile, or a shard of it, on the testbed.
func (b *testbed) measure(cfg loadtest.Config) (m *loadtest.Measurements, err error) {
	at, err := b.prepare(&cfg)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, at.stopBackend(), at.closeDatabase()) }()
	done := func() {}
	if b.flags.progress == jsonProgress {
		cfg.Progress = loadtest.WriteProgress(b.cmd.ErrOrStderr())
	} else {
		cfg.Progress, done = loadtest.ShowProgress(b.cmd.ErrOrStderr())
	}
	cfg.Progress = b.metrics.observe(cfg.Target, cfg.Progress)
	m, err = loadtest.Measure(b.cmd.Context(), cfg)
	done()
	if err != nil {
		return nil, err
	}
	m.Version = version.Current()
	if err := at.stopBackend(); err != nil { // nothing writes any more
		return nil, err
	}
	if m.Invariants, err = b.checkInvariants(&cfg, at.cosmos); err != nil || cfg.Group == nil {
		return m, err
	}
	return m, cfg.Group.Finish(m)
}

// print prints a report on the terminal.
func (b *testbed) print(r *result.Report) error { return report.Text(b.cmd.OutOrStdout(), r) }

// record prints the report of a try and adds it to the history.
func (b *testbed) record(r *result.Report) error {
	if err := b.print(r); err != nil || b.flags.history == "" {
		return err
	}
	return history.Append(b.flags.history, history.NewEntry(r, b.flags.commit, b.flags.scale))
}

// prepared is what a profile runs against.
type prepared struct {
	stopBackend   func() error // may be called again
	closeDatabase func() error
	cosmos        *azcosmos.Client // of a backend on Cosmos DB
}

func nothing() error { return nil }

// prepare sets what the profile runs against.
func (b *testbed) prepare(cfg *loadtest.Config) (at prepared, err error) {
	at = prepared{stopBackend: nothing, closeDatabase: nothing}
	if b.flags.backendURL != "" {
		cfg.BaseURL, cfg.AdminToken = b.flags.backendURL, b.flags.adminToken
		return at, nil
	}
	t, closeDatabase, err := b.database(cfg)
	if err != nil {
		return at, err
	}
	at.closeDatabase = closeDatabase
	if err := checkDatabase(t, cfg.Profile); err != nil {
		return at, errors.Join(err, closeDatabase())
	}
	own, err := b.secrets(cfg, t)
	if err != nil {
		return at, errors.Join(err, closeDatabase())
	}
	cfg.Target, cfg.Meter, cfg.Database = t.Name, new(usage.Meter), &traffic.Database{AWS: t.Config, Prefix: own.Prefix}
	if cfg.Group == nil || cfg.Group.Shard.Leads() {
		cfg.Heat = heatReader(b.cmd.Context(), t, own.Prefix)
	}
	if cfg.Profile.OnDatabase() {
		return at, nil
	}
	if cfg.Profile.OnCosmos() {
		if at.cosmos, err = setUpCosmos(cfg, t); err != nil {
			return at, errors.Join(err, closeDatabase())
		}
	}
	running, token, err := b.backend(cfg, t, own)
	if err != nil {
		return at, errors.Join(err, closeDatabase())
	}
	cfg.BaseURL, cfg.AdminToken = running.url, token
	at.stopBackend = sync.OnceValue(running.stop)
	return at, nil
}

// database returns the shared target, or an emulator for this profile alone.
func (b *testbed) database(cfg *loadtest.Config) (t *targets.Target, stop func() error, err error) {
	if b.target != nil {
		return b.target, nothing, nil
	}
	var options []emulator.Option
	if behaviours := cfg.Profile.LikeCloud; len(behaviours) > 0 {
		named, err := emulator.ParsePieces(strings.Join(behaviours, ","))
		if err != nil {
			return nil, nil, command.Usagef("like_cloud: %v", err)
		}
		options, cfg.LikeCloud = append(options, emulator.WithLikeCloud(named...)), behaviours
	}
	closeRecording := nothing
	if b.flags.record != "" {
		file, err := emulatorcmd.CreateRecording(b.flags.record)
		if err != nil {
			return nil, nil, err
		}
		options, closeRecording = append(options, emulator.WithRecording(file)), file.Close
	}
	if t, err = targets.Embed(options...); err != nil {
		return nil, nil, errors.Join(err, closeRecording())
	}
	return t, func() error { return errors.Join(t.Close(), closeRecording()) }, nil
}

// backend starts a backend of the profile's system, with the meter attached to its database client and around its
// handler.
func (b *testbed) backend(cfg *loadtest.Config, t *targets.Target, own secrets) (running *runningServer, token string,
	err error) {
	f := backendFlags{
		addr: "127.0.0.1:0", prefix: own.Prefix, pepper: own.Pepper, keysetText: own.Keyset, retention: defaultRetention,
		systems:       []string{cfg.Profile.System},
		clientOptions: []func(*dynamodb.Options){cfg.Meter.Attach}, middleware: cfg.Meter.Watch,
	}
	if cfg.Cosmos != nil {
		f.throughput.Autoscale = int32(cfg.Profile.Shorten(cfg.Duration, cfg.RateScale).Autoscale)
		if f.cosmos, err = t.Cosmos(&azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{
			PerRetryPolicies: []policy.Policy{cfg.Cosmos.Meter}}}); err != nil {
			return nil, "", err
		}
	}
	running, err = f.start(context.WithoutCancel(b.cmd.Context()), cfg.Database.AWS, time.Now, command.Logger(b.cmd))
	return running, f.adminToken, err
}

// missingDatabase returns why the shared target, or the running backend, cannot run a profile, or "" if it can.
func (b *testbed) missingDatabase(p profile.Profile) (reason string) {
	if b.flags.backendURL != "" && p.OnDatabase() {
		return "it loads a table: use --target"
	}
	if b.target != nil {
		reason, _ = b.target.Supports(requiredDatabase(p))
	}
	return reason
}

// requiredDatabase returns the database that a profile runs on.
func requiredDatabase(p profile.Profile) targets.Capability {
	if p.OnCosmos() {
		return targets.CosmosDB
	}
	return targets.DynamoDB
}

// missingDatabaseError is the error of a target that lacks the database of a profile.
type missingDatabaseError struct{ error }

// Unwrap returns the usage error, for the exit status.
func (e missingDatabaseError) Unwrap() error { return e.error }

// checkDatabase returns a missingDatabaseError if a target lacks the database of a profile.
func checkDatabase(t *targets.Target, p profile.Profile) error {
	reason, ok := t.Supports(requiredDatabase(p))
	switch {
	case ok:
		return nil
	case p.OnCosmos():
		return missingDatabaseError{command.Usagef(
			"requires Cosmos DB: %s; use --target embedded, cosmos=https://HOST:PORT or azure", reason)}
	}
	return missingDatabaseError{command.Usagef(
		"requires DynamoDB: %s; use --target embedded, url=http://HOST:PORT, dynamodb-local or aws", reason)}
}

// setUpCosmos sets up cfg for a profile of a system on Cosmos DB: what to measure there. It returns a further client.
func setUpCosmos(cfg *loadtest.Config, t *targets.Target) (*azcosmos.Client, error) {
	client, err := t.Cosmos(nil)
	if err != nil {
		return nil, err
	}
	cfg.Cosmos = &traffic.Cosmos{Client: client, Database: cfg.Database.Prefix + notification.Database,
		Meter: new(usage.CosmosMeter)}
	return client, nil
}

// emulatorTimeout is how long a target may take to show whether it is an emulator.
const emulatorTimeout = 5 * time.Second

// heatReader returns a function that reads the load by partition of the tables whose names have a prefix, or nil if the
// target is not an emulator, or one that does not let this program read it.
func heatReader(ctx context.Context, t *targets.Target, prefix string) func(context.Context) ([]heatmap.Table, error) {
	f := emulatorcmd.AdminFlags{Endpoint: t.Endpoint}
	read := func(ctx context.Context) (tables []heatmap.Table, err error) {
		err = f.Call(ctx, http.MethodGet, "/heat", nil, &tables)
		return slices.DeleteFunc(tables, func(t heatmap.Table) bool { return !strings.HasPrefix(t.Resource, prefix) }), err
	}
	if t.Emulator != nil {
		return read
	}
	if !strings.HasPrefix(t.Name, "url=") {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, emulatorTimeout)
	defer cancel()
	if _, err := read(ctx); err != nil {
		return nil
	}
	return read
}
