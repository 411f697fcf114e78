package loadtest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/heatmap"
	"github.com/tabletop-db/tabletop/internal/util/plainhttp"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
	"github.com/tabletop-db/tabletop/loadtest/export"
	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/loadtest/shards"
	"github.com/tabletop-db/tabletop/loadtest/traffic"
	"github.com/tabletop-db/tabletop/loadtest/usage"
	"github.com/tabletop-db/tabletop/loadtest/verdict"
)

// Config selects a profile and its target. Profile is required. BaseURL and AdminToken are for profiles of a backend,
// Database for those of a table.
type Config struct {
	Profile    profile.Profile
	Target     string            // name of the target in the report; default BaseURL
	BaseURL    string            // URL of the running backend, such as http://127.0.0.1:8080
	AdminToken string            // for its admin routes
	Database   *traffic.Database // of the backend, or attacked itself; nil: do not measure what needs it, such as sizes
	Cosmos     *traffic.Cosmos   // of a backend on Cosmos DB; nil: do not measure what needs it
	Meter      *usage.Meter      // attached to the backend's DynamoDB client; nil: do not measure capacity units
	LikeCloud  []string          // the cloud behaviours that the target has enabled
	// Heat returns the load by partition of the run's tables; nil: do not measure it. Only the leading shard calls it: it
	// sees the requests of all.
	Heat func(context.Context) ([]heatmap.Table, error)

	Duration  time.Duration // shortens the profile to this; default its own duration
	RateScale float64       // multiplies its rates and population; default 1
	Seed      uint64        // the same seed makes the same requests; default from the clock, since devices persist

	// Export is a folder for latencies and results in the formats of other tools: see package export. Empty: no export.
	Export string

	// Group is the shards that send the requests of the run together; nil: this is the whole run. Its Run has been joined,
	// unless the shard leads.
	Group *shards.Group

	Progress func(Progress) // called a few times a second, from one goroutine at a time; may be nil
}

// progressInterval is how often progress is reported.
const progressInterval = 250 * time.Millisecond

// Run creates the profile's population, attacks, and decides the limits. A failed limit is not an error: call
// Report.Failed. If the context ends, Run stops, removes what it created for itself and returns the context's error.
func Run(ctx context.Context, cfg Config) (*result.Report, error) {
	m, err := Measure(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return m.Report()
}

// Measure is like Run, but returns the measurements of the run or, with Config.Group, of one shard of it.
func Measure(ctx context.Context, cfg Config) (*Measurements, error) {
	cfg, short, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	m, err := cfg.run(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	m.Shortened = short
	return m, nil
}

func (c Config) trafficSetup() traffic.Setup {
	return traffic.Setup{
		Profile: c.Profile, BaseURL: c.BaseURL, AdminToken: c.AdminToken, Database: c.Database, Cosmos: c.Cosmos,
		Meter: c.Meter, Seed: c.Seed, Shard: c.shard(),
	}
}

func (c Config) run(ctx context.Context) (m *Measurements, err error) {
	s, err := c.trafficSetup().Open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close(ctx)) }()
	var recorder *export.Recorder
	if c.Export != "" {
		if recorder, err = export.Create(c.Export, c.Profile); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, recorder.Close()) }()
	}
	m = &Measurements{Shard: c.shard(), Profile: c.Profile, Target: c.Target, Seed: c.Seed, Scale: c.scale(),
		Started: time.Now().UTC().Truncate(time.Millisecond), NotApplied: c.missingCloudBehaviours()}
	if err := c.prepare(ctx, s, m); err != nil {
		return nil, err
	}
	transport := newTransport()
	defer transport.CloseIdleConnections()
	attackers := &http.Client{Transport: s.WrapTransport(transport)}
	before, err := c.awaitStart(ctx, m)
	if err != nil {
		return nil, err
	}
	sent := c.attack(ctx, attackers, s, recorder)
	if sent == nil {
		return nil, ctx.Err()
	}
	m.Requests, m.DynamoDB = *sent, c.Meter.Usage()
	return m, c.measureAfter(ctx, s, m, before)
}

// newTransport returns the transport of the attackers. Like AWS's SDKs by default, they do not ask for compressed
// responses.
func newTransport() *plainhttp.Transport {
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.MaxIdleConns, base.MaxIdleConnsPerHost = profile.MaxWorkers, profile.MaxWorkers
	base.DisableCompression = true
	return &plainhttp.Transport{Base: base, Timeout: traffic.RequestTimeout, Idle: profile.MaxWorkers}
}

// prepare creates the population, or joins the run of the shard that created it, and measures the stored data before
// the attack, if a limit is about it.
func (c Config) prepare(ctx context.Context, s traffic.Subject, m *Measurements) (err error) {
	if !c.shard().Leads() {
		return s.Join(ctx, c.Group.Run.Population)
	}
	if err := s.Prepare(ctx, c.prepareProgress()); err != nil {
		return err
	}
	if c.Database != nil && verdict.NeedsSizes(&result.Report{Profile: c.Profile}) {
		if m.Stored, m.Sizes, err = usage.Sizes(ctx, c.Profile.System, c.Database.AWS, c.Database.Prefix); err != nil {
			return fmt.Errorf("cannot measure the stored data: %w", err)
		}
	}
	if c.Group == nil {
		return nil
	}
	return c.publish(s)
}

// measureAfter measures the results of the attack. The leading shard waits for the others first.
func (c Config) measureAfter(ctx context.Context, s traffic.Subject, m *Measurements, before usage.Load) error {
	if err := s.Observe(ctx, &m.System); err != nil {
		return err
	}
	if !c.shard().Leads() {
		return nil
	}
	if c.Group != nil {
		if err := c.Group.AwaitOthers(ctx); err != nil {
			return err
		}
	}
	if err := s.Inspect(ctx, &m.System); err != nil {
		return err
	}
	load, err := usage.ReadHeat(ctx, c.Heat)
	if err != nil {
		return fmt.Errorf("cannot measure the load: %w", err)
	}
	if load != nil {
		m.Heat = load.Since(before)
	}
	return nil
}

// prefix returns the prefix of the names of the run's tables and databases.
func (c Config) prefix() string {
	if c.Database == nil {
		return ""
	}
	return c.Database.Prefix
}

// scale returns the factor by which the population was scaled.
func (c Config) scale() float64 {
	if c.Profile.Unscaled != "" {
		return 1
	}
	return cmp.Or(c.RateScale, 1)
}

// missingCloudBehaviours returns the cloud behaviours that the profile requires and the target lacks, or "" if there
// are none.
func (c Config) missingCloudBehaviours() string {
	var without []string
	for _, piece := range c.Profile.LikeCloud {
		if !slices.Contains(c.LikeCloud, piece) {
			without = append(without, piece)
		}
	}
	if len(without) == 0 {
		return ""
	}
	return "like_cloud: " + strings.Join(without, ", ") + " (an option of the embedded target)"
}

// withDefaults validates the configuration and returns it with its defaults, and a description of how the profile was
// shortened.
func (c Config) withDefaults() (Config, string, error) {
	if err := c.checkTarget(); err != nil {
		return c, "", err
	}
	if c.Duration < 0 || c.RateScale < 0 {
		return c, "", errors.New("duration and rate scale cannot be negative")
	}
	if err := cmp.Or(c.Profile.Validate(), verdict.Check(c.Profile)); err != nil {
		return c, "", fmt.Errorf("profile: %w", err)
	}
	if c.Target == "" {
		c.Target = c.BaseURL
	}
	if c.Seed == 0 {
		c.Seed = uint64(time.Now().UnixNano())
	}
	if !c.shard().Leads() {
		c.Seed = c.Group.Run.Seed
	}
	if c.Meter == nil {
		c.Meter = &usage.Meter{}
	}
	short := shorten(c.Profile, c.Duration, c.RateScale)
	var how string
	if c.Duration > 0 || c.RateScale > 0 && c.RateScale != 1 {
		how = thousands.Sprintf("%v of %v, %d of %d requests", short.Duration(), c.Profile.Duration(), short.Requests(),
			c.Profile.Requests())
	}
	c.Profile = short
	return c, how, c.checkGroup()
}

// shorten returns the profile of a shortened run, with its limits.
func shorten(p profile.Profile, duration time.Duration, scale float64) profile.Profile {
	return verdict.Scaled(p.Shorten(duration, scale), scale)
}

// checkTarget rejects a configuration that lacks what its profile attacks.
func (c Config) checkTarget() error {
	if c.Profile.OnDatabase() {
		if c.Database == nil {
			return fmt.Errorf("%s attacks a table; set a target, not the address of a backend", c.Profile.ID)
		}
		return nil
	}
	if u, err := url.Parse(c.BaseURL); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("%q is not a URL: use one such as http://127.0.0.1:8080", c.BaseURL)
	}
	if c.AdminToken == "" {
		return errors.New("no credential; set the backend's admin token")
	}
	return nil
}

// prepareProgress returns the function that reports the progress of creating the population.
func (c Config) prepareProgress() func(done, total int) {
	var mu sync.Mutex
	var shown time.Time
	return func(done, total int) {
		if c.Progress == nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); now.Sub(shown) >= progressInterval || done == total {
			shown = now
			c.Progress(Progress{At: now, Profile: c.Profile.ID, Phase: Preparing, Share: float64(done) / float64(total)})
		}
	}
}
