package loadtest

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tabletop-db/tabletop/simulators/telemetryapi"
)

// builders is how many requests at once make a population.
const builders = 16

// population is what was made for an attack: its API keys.
type population struct {
	admin *telemetryapi.Client
	ids   []string
	keys  []string
}

// createKeys makes the API keys of the profile.
func createKeys(ctx context.Context, admin *telemetryapi.Client, p Profile) (*population, error) {
	made := &population{admin: admin}
	for n := range p.Population.Keys {
		k, err := admin.CreateKey(ctx, fmt.Sprintf("load test %s, key %d", p.ID, n+1))
		if err != nil {
			return made, fmt.Errorf("cannot make an API key (is the admin token right?): %w", err)
		}
		made.ids, made.keys = append(made.ids, k.KeyID), append(made.keys, k.APIKey)
	}
	return made, nil
}

// revoke makes the keys useless, even after the context ended.
func (p *population) revoke(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	for _, id := range p.ids {
		if p.admin.RevokeKey(ctx, id) != nil {
			return // keys that stay open are less bad than a report that is lost
		}
	}
}

// populate registers the devices and sends their first readings. done is told how far it is.
func (t *traffic) populate(ctx context.Context, client *telemetryapi.Client, readings int, done func(done, total int)) error {
	var count atomic.Int64
	total := len(t.sources) * (1 + readings)
	step := func(n int) { done(int(count.Add(int64(n))), total) }
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(builders)
	for _, s := range t.sources {
		g.Go(func() error {
			if _, err := client.Register(ctx, s.plan.Registration(s.boot)); err != nil {
				return fmt.Errorf("cannot register the devices: %w", err)
			}
			step(1)
			return t.preload(ctx, client, s, readings, step)
		})
	}
	return g.Wait()
}

func (t *traffic) preload(ctx context.Context, client *telemetryapi.Client, s *source, readings int, step func(int)) error {
	for readings > 0 {
		batch := make([]telemetryapi.Reading, min(readings, telemetryapi.MaxReadings))
		for i := range batch {
			batch[i] = t.next(s)
		}
		ack, err := client.Send(ctx, batch)
		if err != nil {
			return fmt.Errorf("cannot preload readings: %w", err)
		}
		if ack.Stored != len(batch) {
			return fmt.Errorf("cannot preload readings: %d of %d were stored", ack.Stored, len(batch))
		}
		readings -= len(batch)
		step(len(batch))
	}
	return nil
}
