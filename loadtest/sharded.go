package loadtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/tabletop-db/tabletop/loadtest/traffic"
	"github.com/tabletop-db/tabletop/loadtest/usage"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// shard returns the shard that this generator is; zero if it sends the whole run.
func (c Config) shard() sim.Shard {
	if c.Group == nil {
		return sim.Shard{}
	}
	return c.Group.Shard
}

// checkGroup rejects a shard that would send other requests than the first shard.
func (c Config) checkGroup() error {
	if c.shard().Leads() {
		return nil
	}
	own, err := json.Marshal(c.Profile)
	if err != nil {
		return err
	}
	leaders, err := json.Marshal(c.Group.Run.Profile)
	if err == nil && !bytes.Equal(own, leaders) {
		err = errors.New("shard 1 runs another load: give all shards the same profile, --duration and --rate-scale")
	}
	return err
}

// publish tells the other shards how to join the run that this one has prepared.
func (c Config) publish(s traffic.Subject) (err error) {
	run := &c.Group.Run
	run.Seed, run.Profile = c.Seed, c.Profile
	if run.Population, err = json.Marshal(s.Population()); err != nil {
		return err
	}
	return c.Group.Publish()
}

// awaitStart waits for the common start of all shards. The leading one returns the load before it, when all are ready.
func (c Config) awaitStart(ctx context.Context, m *Measurements) (load usage.Load, err error) {
	if c.Group != nil {
		if err := c.Group.Ready(ctx); err != nil {
			return nil, err
		}
	}
	if c.shard().Leads() {
		if load, err = usage.ReadHeat(ctx, c.Heat); err != nil {
			return nil, fmt.Errorf("cannot measure the load: %w", err)
		}
	}
	if c.Group == nil {
		return load, nil
	}
	at, err := c.Group.Start(ctx)
	m.Run, m.Started = c.Group.Run.ID, at.UTC().Truncate(time.Millisecond)
	return load, err
}
