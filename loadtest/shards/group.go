package shards

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// Config selects the folder and the patience of the shards of a run. Dir and Shard are required.
type Config struct {
	Dir   string // a folder that all shards share; it must have no files of an earlier run of the profile
	Shard sim.Shard
	// Wait is how long a shard waits for another one to appear, and the first for the others to end; default 15 minutes.
	Wait time.Duration
	// StartIn is the time between the arrival of the last shard and the common start; default 5 seconds. It must be longer
	// than it takes until a file that is written on one machine is visible on all others, plus the difference of their
	// clocks.
	StartIn time.Duration
	Poll    time.Duration // how often the folder is read; default a fifth of a second
}

// Run is what the first shard publishes about a run.
type Run struct {
	ID         string          `json:"id"`      // random, different for each run
	Version    string          `json:"version"` // of Tabletop
	Shards     int             `json:"shards"`
	Seed       uint64          `json:"seed"`
	Profile    profile.Profile `json:"profile"`    // as run
	Secrets    json.RawMessage `json:"secrets"`    // what a shard needs to use the same database as the first
	Population json.RawMessage `json:"population"` // what a shard needs to use the population that the first created
}

// Group is the shards of one run of a profile, as one of them sees it. It is not safe for concurrent use.
type Group struct {
	Config
	Run     Run // of the first shard: before Publish, its own draft; of the others: after Join
	profile string
}

// Open returns the group of a run of a profile. The shard has been claimed.
func Open(c Config, profileID string) *Group {
	c.Wait, c.StartIn = cmp.Or(c.Wait, 15*time.Minute), cmp.Or(c.StartIn, 5*time.Second)
	c.Poll = cmp.Or(c.Poll, 200*time.Millisecond)
	return &Group{Config: c, profile: profileID}
}

// Publish makes the prepared run known to the other shards. Only the first shard calls it.
func (g *Group) Publish() error {
	g.Run.Shards = g.Shard.Of
	return g.writeJSON(g.file("run"), g.Run)
}

// Join waits for the run that the first shard publishes. All others call it. Errors: the wait is over, or the first
// shard failed or runs with another number of shards or another version.
func (g *Group) Join(ctx context.Context) error {
	if err := g.await(ctx, g.profile+".failed-", g.file("run")); err != nil {
		return fmt.Errorf("shard 1 has not prepared the run: %w", err)
	}
	if err := readJSON(g.file("run"), &g.Run); err != nil {
		return err
	}
	if g.Run.Shards != g.Shard.Of {
		return fmt.Errorf("shard 1 runs with %d shards, this one with %d: give all the same number", g.Run.Shards, g.Shard.Of)
	}
	return nil
}

// start is the moment at which all shards start.
type start struct {
	At time.Time `json:"at"`
}

// Ready tells the other shards that this one is ready. The first shard then waits until all are. Errors: the wait is
// over, or another shard failed.
func (g *Group) Ready(ctx context.Context) error {
	if err := write(g.name("ready", g.Shard.Number), nil); err != nil || !g.Shard.Leads() {
		return err
	}
	for k := 2; k <= g.Shard.Of; k++ {
		if err := g.await(ctx, g.profile+".failed-", g.name("ready", k)); err != nil {
			return fmt.Errorf("shard %d is not ready: %w", k, err)
		}
	}
	return nil
}

// Start waits until the common start, and returns when that is. REQUIRES: Ready. Errors: the wait is over, another
// shard failed, or this one learns of the start too late.
func (g *Group) Start(ctx context.Context) (time.Time, error) {
	var s start
	if g.Shard.Leads() {
		s.At = time.Now().Add(g.StartIn)
		if err := g.writeJSON(g.file("start"), s); err != nil {
			return time.Time{}, err
		}
	} else if err := g.await(ctx, g.profile+".failed-", g.file("start")); err != nil {
		return time.Time{}, fmt.Errorf("shard 1 has not started the run: %w", err)
	} else if err := readJSON(g.file("start"), &s); err != nil {
		return time.Time{}, err
	}
	left := time.Until(s.At)
	if left < 0 {
		return time.Time{}, fmt.Errorf("the run started %v before this shard learned of it: increase --start-in, and "+
			"synchronize the clocks of the machines", -left.Round(time.Millisecond))
	}
	select {
	case <-time.After(left):
		return s.At, nil
	case <-ctx.Done():
		return time.Time{}, ctx.Err()
	}
}

// Finish writes what this shard measured.
func (g *Group) Finish(measured any) error {
	return g.writeJSON(g.resultName(g.Shard.Number), measured)
}

// AwaitOthers waits until all other shards have written what they measured. The first shard calls it before it removes
// what the others use.
func (g *Group) AwaitOthers(ctx context.Context) error {
	for k := 1; k <= g.Shard.Of; k++ {
		if k == g.Shard.Number {
			continue
		}
		if err := g.await(ctx, g.profile+".failed-", g.resultName(k)); err != nil {
			return fmt.Errorf("shard %d has not ended: %w", k, err)
		}
	}
	return nil
}

// Fail tells the other shards that this one cannot take part, so that they do not wait for it.
func (g *Group) Fail(cause error) {
	_ = write(g.name("failed", g.Shard.Number), []byte(cause.Error())) // the others then wait in vain
}

func (g *Group) file(kind string) string { return filepath.Join(g.Dir, g.profile+"."+kind+".json") }

func (g *Group) name(kind string, shard int) string {
	return filepath.Join(g.Dir, fmt.Sprintf("%s.%s-%d", g.profile, kind, shard))
}

func (g *Group) resultName(shard int) string {
	return filepath.Join(g.Dir, ResultName(g.profile, sim.Shard{Number: shard, Of: g.Shard.Of}))
}

// ResultName returns the name of the file with the measurements of a shard.
func ResultName(profileID string, s sim.Shard) string {
	return fmt.Sprintf("%s.shard-%d-of-%d.json", profileID, s.Number, s.Of)
}

// Results is the pattern of the names of files with measurements. Files that are being written begin with a dot.
const Results = "[^.]*.shard-*-of-*.json"

func (g *Group) writeJSON(name string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return write(name, text)
}

func readJSON(name string, v any) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
