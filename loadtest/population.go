package loadtest

import (
	"context"
	"fmt"
	"slices"
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
			return made, keyError(admin.BaseURL, err)
		}
		made.ids, made.keys = append(made.ids, k.KeyID), append(made.keys, k.APIKey)
	}
	return made, nil
}

func keyError(base string, err error) error {
	if telemetryapi.Refused(err) {
		return fmt.Errorf("the backend at %s refuses the admin token: give the one that it was started with", base)
	}
	return fmt.Errorf("the backend at %s makes no API key: is it running? (%w)", base, err)
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
	if err := t.register(ctx, client, step); err != nil {
		return fmt.Errorf("cannot register the devices: %w", err)
	}
	if err := t.preload(ctx, client, readings, step); err != nil {
		return fmt.Errorf("cannot preload readings: %w", err)
	}
	return nil
}

func (t *traffic) register(ctx context.Context, client *telemetryapi.Client, step func(int)) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(builders)
	for _, s := range t.sources {
		g.Go(func() error {
			_, err := client.Register(ctx, s.plan.Registration(s.boot))
			step(1)
			return err
		})
	}
	return g.Wait()
}

// preload sends this many readings of each device, a hundred devices in one request.
func (t *traffic) preload(ctx context.Context, client *telemetryapi.Client, readings int, step func(int)) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(builders)
	for range readings {
		for some := range slices.Chunk(t.sources, telemetryapi.MaxReadings) {
			batch := make([]telemetryapi.Reading, len(some))
			for i, s := range some {
				batch[i] = t.next(s)
			}
			g.Go(func() error {
				ack, err := client.Send(ctx, batch)
				if err == nil && ack.Stored != len(batch) {
					err = fmt.Errorf("%d of %d were stored", ack.Stored, len(batch))
				}
				step(len(batch))
				return err
			})
		}
	}
	return g.Wait()
}
