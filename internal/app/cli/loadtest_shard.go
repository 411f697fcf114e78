package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tabletop-db/tabletop/backend/verification/pii"
	"github.com/tabletop-db/tabletop/features/targets"
	"github.com/tabletop-db/tabletop/internal/app/cli/command"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/internal/util/version"
	"github.com/tabletop-db/tabletop/loadtest"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/loadtest/shards"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// shardFlags holds the flags of a run that several generators share.
type shardFlags struct {
	text    string // as given; empty: the whole run
	dir     string
	wait    time.Duration
	startIn time.Duration
}

func (f *shardFlags) bind(flags *pflag.FlagSet) {
	flags.StringVar(&f.text, "shard", "", "Shard of the run that this generator sends, such as 3/8. auto/8 takes the "+
		"number from JOB_COMPLETION_INDEX, as in an Indexed Job of Kubernetes, or else the next free one. Requires "+
		"--shard-dir.")
	flags.StringVar(&f.dir, "shard-dir", "", "Folder that all shards of the run read and write. Empty for each run.")
	flags.DurationVar(&f.wait, "shard-wait", 15*time.Minute, "Maximum time to wait for the other shards.")
	flags.DurationVar(&f.startIn, "start-in", 5*time.Second, "Time from the arrival of the last shard to the common "+
		"start. More than files need to appear on all machines, plus the difference of their clocks.")
}

func (f *shardFlags) config(s sim.Shard) shards.Config {
	return shards.Config{Dir: f.dir, Shard: s, Wait: f.wait, StartIn: f.startIn}
}

// checkShard rejects flags that a shard cannot satisfy.
func (f *loadFlags) checkShard() error {
	spec, err := targets.Parse(f.target.name)
	own := err == nil && (spec.Kind == targets.Embedded || spec.Kind == targets.DynamoDBLocal)
	switch {
	case f.shard.dir == "":
		return command.Usagef("--shard requires --shard-dir: a folder that all shards of the run share")
	case own && f.backendURL == "":
		return command.Usagef("--shard requires a database that all shards use: set --target url=http://HOST:PORT, aws, "+
			"cosmos=https://HOST:PORT or azure, or --backend, instead of %s", spec.Kind)
	case f.tries > 1 || f.history != "" || f.export != "" || f.record != "":
		return command.Usagef("--shard cannot be combined with --tries, --history, --export or --record: " +
			"a shard alone has no result")
	}
	return f.check()
}

// runShard runs a shard of each profile; the next free one if its number is 0. It writes no report: the shards are
// merged when all have ended.
func (f *loadFlags) runShard(cmd *cobra.Command, profiles []profile.Profile) (err error) {
	if err := f.checkShard(); err != nil {
		return err
	}
	s, err := parseShard(f.shard.text)
	if err != nil {
		return err
	}
	metrics, err := startLoadMetrics(f.otlpEndpoint, command.Logger(cmd))
	if err != nil {
		return err
	}
	defer metrics.close()
	b, err := f.openTestbed(cmd)
	if err != nil {
		return err
	}
	b.metrics = metrics
	defer func() { err = errors.Join(err, b.close()) }()
	if s, err = shards.Claim(f.shard.dir, s); err != nil { // only now: without a target, it may be started again
		return command.Usagef("%v", err)
	}
	defer func() { err = errors.Join(err, shards.End(f.shard.dir, s, err)) }()
	for _, p := range profiles {
		if reason := b.missingDatabase(p); reason != "" && f.all {
			_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "%s skipped: %s\n", p.ID, reason)
			continue
		}
		m, err := b.runShard(p, s)
		if cmd.Context().Err() != nil {
			return command.Stoppedf(cmd.Context(), " during %s: shard %v has no result", p.ID, s)
		}
		if err != nil {
			return fmt.Errorf("%s, shard %v: %w", p.ID, s, err)
		}
		_, _ = thousands.Fprintf(cmd.OutOrStdout(), "%s  shard %v sent %d requests, p99 %.1f ms\n", p.ID, s,
			m.Requests.Requests, result.LatencyOf(m.Requests.All).P99)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "After all shards: tabletop loadtest merge %s\n", f.shard.dir)
	return err
}

// runShard runs a shard of a profile. If it fails, the other shards learn of it.
func (b *testbed) runShard(p profile.Profile, s sim.Shard) (m *loadtest.Measurements, err error) {
	cfg := b.config(p)
	cfg.Group = shards.Open(b.flags.shard.config(s), p.ID)
	defer func() {
		if err != nil {
			cfg.Group.Fail(err)
		}
	}()
	if s.Leads() {
		cfg.Group.Run = shards.Run{ID: randomToken(), Version: version.Current()}
	} else if err := cfg.Group.Join(b.cmd.Context()); err != nil {
		return nil, err
	} else if v := cfg.Group.Run.Version; v != version.Current() {
		return nil, fmt.Errorf("shard 1 has version %s, this one %s: use one version for all", v, version.Current())
	}
	return b.measure(cfg)
}

// secrets is what backends need to have the same data. The first shard of a run gives them to the others.
type secrets struct {
	Prefix string `json:"prefix"` // of table names
	Pepper string `json:"pepper"`
	Keyset []byte `json:"keyset,omitempty"` // nil: KMS holds the keys
}

// secrets returns new secrets for the backend of a run on a target, or those of the run's first shard. Each run has a
// prefix of its own, so that a further try, or a step of saturate, does not find the data of an earlier one.
func (b *testbed) secrets(cfg *loadtest.Config, t *targets.Target) (own secrets, err error) {
	if cfg.Group != nil && !cfg.Group.Shard.Leads() {
		return own, json.Unmarshal(cfg.Group.Run.Secrets, &own)
	}
	b.runs++
	own = secrets{Prefix: fmt.Sprintf("%s%s-%d-", t.TablePrefix, strings.ToLower(cfg.Profile.ID), b.runs),
		Pepper: randomToken()}
	if b.target != nil && b.target.Name != string(targets.AWS) { // few targets have a KMS
		own.Keyset, err = pii.NewLocal()
	}
	if cfg.Group != nil {
		text, failed := json.Marshal(own)
		cfg.Group.Run.Secrets, err = text, cmp.Or(err, failed)
	}
	return own, err
}
