package traffic

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/simulators/telemetryapi"
)

// keys are the API keys created for an attack.
type keys struct {
	admin *telemetryapi.Client
	ids   []string
	keys  []string
}

// Prepare creates the API keys, registers the devices and sends their first readings.
func (t *telemetry) Prepare(ctx context.Context, done func(done, total int)) error {
	if err := t.apiKeys.create(ctx, t.config.Profile); err != nil {
		return err
	}
	var count atomic.Int64
	readings := t.config.Profile.Population["readings"]
	total := len(t.sources) * (1 + readings)
	step := func(n int) { done(int(count.Add(int64(n))), total) }
	client := t.admin.WithKey(t.apiKeys.keys[0])
	if err := t.register(ctx, client, step); err != nil {
		return fmt.Errorf("cannot register the devices: %w", err)
	}
	if err := t.preload(ctx, client, readings, step); err != nil {
		return fmt.Errorf("cannot preload readings: %w", err)
	}
	return nil
}

// telemetryPopulation is what other shards need.
type telemetryPopulation struct {
	Start time.Time `json:"start"` // time of the first reading of each device
	Keys  []string  `json:"keys"`  // API keys
}

// Population returns the API keys, and the time of the first readings.
func (t *telemetry) Population() any { return telemetryPopulation{t.start, t.apiKeys.keys} }

// Join makes the readings that another shard has sent before the attack, without sending them.
func (t *telemetry) Join(_ context.Context, population json.RawMessage) error {
	var p telemetryPopulation
	if err := json.Unmarshal(population, &p); err != nil {
		return err
	}
	t.start, t.apiKeys.keys = p.Start, p.Keys
	for range t.config.Profile.Population["readings"] {
		for _, s := range t.sources {
			t.reading(s)
		}
	}
	return nil
}

// create creates the API keys of the profile.
func (k *keys) create(ctx context.Context, p profile.Profile) error {
	for n := range p.Population["keys"] {
		made, err := k.admin.CreateKey(ctx, fmt.Sprintf("load test %s, key %d", p.ID, n+1))
		if err != nil {
			return keyError(k.admin.BaseURL, err)
		}
		k.ids, k.keys = append(k.ids, made.KeyID), append(k.keys, made.APIKey)
	}
	return nil
}

func keyError(base string, err error) error {
	if telemetryapi.IsUnauthorized(err) {
		return fmt.Errorf("the backend at %s rejects the admin token; use the one that it was started with", base)
	}
	return fmt.Errorf("no API key from the backend at %s: is it running? (%w)", base, err)
}

// revoke revokes the keys, even after the context ended.
func (k *keys) revoke(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	for _, id := range k.ids {
		if k.admin.RevokeKey(ctx, id) != nil {
			return // keys left active are less bad than a lost report
		}
	}
}

func (t *telemetry) register(ctx context.Context, client *telemetryapi.Client, step func(int)) error {
	return forEach(ctx, len(t.sources), func() { step(1) }, func(ctx context.Context, i int) error {
		return t.patience.Do(ctx, func() error {
			_, err := client.Register(ctx, t.sources[i].plan.Registration(t.sources[i].boot))
			return err
		})
	})
}

// preload sends this number of readings of each device, for a hundred devices per request.
func (t *telemetry) preload(ctx context.Context, client *telemetryapi.Client, readings int, step func(int)) error {
	for range readings {
		var batches [][]telemetryapi.Reading
		for some := range slices.Chunk(t.sources, telemetryapi.MaxReadings) {
			batch := make([]telemetryapi.Reading, len(some))
			for i, s := range some {
				batch[i] = t.reading(s)
				t.early[batch[i].BatchID] = true
			}
			batches = append(batches, batch)
		}
		err := forEach(ctx, len(batches), func() { step(telemetryapi.MaxReadings) }, func(ctx context.Context, i int) error {
			return t.patience.Do(ctx, func() error { return sendBatch(ctx, client, batches[i]) })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// sendBatch sends readings and checks that all of them are stored. It may be repeated.
func sendBatch(ctx context.Context, client *telemetryapi.Client, batch []telemetryapi.Reading) error {
	ack, err := client.Send(ctx, batch)
	if stored := ack.Stored + ack.Duplicate; err == nil && stored != len(batch) {
		err = fmt.Errorf("%d of %d readings are stored", stored, len(batch))
	}
	return err
}
