package traffic

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/loadtest/usage"
	"github.com/tabletop-db/tabletop/simulators/fleet"
	"github.com/tabletop-db/tabletop/simulators/sim"
	"github.com/tabletop-db/tabletop/simulators/telemetryapi"
)

// age is how old the first readings are: young enough not to expire soon, and old enough that few readings are in the
// future.
const age = 30 * 24 * time.Hour

// telemetry is a fleet of devices that send readings, and the requests that read them.
type telemetry struct {
	baseSubject
	*picker
	config       Setup
	admin        *telemetryapi.Client
	apiKeys      *keys
	patience     *sim.Retrier
	sources      []*source
	start        time.Time      // time of the first reading of each device
	recent       []readings     // the latest bodies that were sent for the first time, for repeats
	requestCount int            // number of requests made
	uses         []atomic.Int64 // by key: number of requests sent
	results      result.Outcomes
	early        map[string]bool // readings from before the attack, by batch id
	acknowledged acknowledged    // readings of the attack
	writes       *writes
}

func newTelemetry(c Setup, now time.Time) *telemetry {
	pop := c.Profile.Population
	t := &telemetry{picker: newPicker(c.Seed), config: c, start: now.UTC().Truncate(time.Millisecond).Add(-age),
		admin: &telemetryapi.Client{BaseURL: c.BaseURL, AdminToken: c.AdminToken, HTTP: newClient(setupConcurrency)},
		uses:  make([]atomic.Int64, pop["keys"]), early: map[string]bool{}, acknowledged: acknowledged{},
		writes: newWrites(hotRule(c.Profile.Duration()))}
	t.apiKeys, t.patience = &keys{admin: t.admin}, &sim.Retrier{Backend: c.BaseURL}
	for n := range pop["devices"] {
		t.sources = append(t.sources, newSource(c.Seed, n))
	}
	return t
}

// repeatBuffer is the number of bodies kept for repeats.
const repeatBuffer = 32

func (t *telemetry) remember(body readings) {
	if len(t.recent) == repeatBuffer {
		t.recent = t.recent[1:]
	}
	t.recent = append(t.recent, body)
}

// reading returns the device's next reading.
func (t *telemetry) reading(s *source) telemetryapi.Reading {
	s.made++
	return s.plan.Reading(t.start, time.Duration(s.made)*interval, s.boot)
}

// next chooses the next request, using the API keys in turn.
func (t *telemetry) next(number int, p profile.Part) draft {
	c := t.request(number, p)
	key := t.requestCount % len(t.apiKeys.keys)
	t.requestCount++
	return func(context.Context) (request, error) {
		r, err := c.encoded(t.config.BaseURL)
		if err != nil {
			return request{}, err
		}
		r.header.Set("X-Api-Key", t.apiKeys.keys[key])
		r.sent = func() { t.uses[key].Add(1) }
		return r, nil
	}
}

// HandleResponse counts the outcomes of a request's readings.
func (t *telemetry) HandleResponse(kind string, r *vegeta.Result, at time.Duration) (stored int64, wrong string) {
	if kind != "ingest" && kind != "repeat" || r.Error != "" {
		return 0, ""
	}
	var ack telemetryapi.Ack
	if err := json.Unmarshal(r.Body, &ack); err != nil {
		return 0, "the response is not valid JSON"
	}
	for _, o := range ack.Results {
		if o.Status == telemetryapi.Stored {
			t.writes.add(hardwareID(o.BatchID), at)
			t.acknowledged.add(o.BatchID)
		}
	}
	t.results.Stored += int64(ack.Stored)
	t.results.Duplicate += int64(ack.Duplicate)
	t.results.Rejected += int64(ack.Rejected)
	return int64(ack.Stored), ""
}

// hardwareID returns the hardware id at the beginning of a batch id made by our own devices.
func hardwareID(batchID string) string {
	id, _, _ := strings.Cut(batchID, "_")
	return id
}

// Observe returns the outcomes of the readings, the writes of each device and the uses of each key.
func (t *telemetry) Observe(_ context.Context, o *Observations) error {
	o.Acknowledged = t.acknowledged
	o.Telemetry = &telemetryObservations{Readings: t.results, Writes: t.writes.count}
	for i := range t.uses {
		o.Telemetry.KeyUses = append(o.Telemetry.KeyUses, t.uses[i].Load())
	}
	return nil
}

// Inspect reads the hot devices that the service reports, and the stored readings.
func (t *telemetry) Inspect(ctx context.Context, o *Observations) error {
	if err := t.readHotDevices(ctx, o); err != nil {
		return err
	}
	if t.config.Database == nil {
		return nil
	}
	o.Early, o.Stored = t.early, map[string]int{}
	table := t.config.Database.Prefix + "device_readings"
	return usage.Scan(ctx, dynamodb.NewFromConfig(t.config.Database.AWS),
		table, func(item map[string]types.AttributeValue) {
			if id, ok := item["batch_id"].(*types.AttributeValueMemberS); ok {
				o.Stored[id.Value]++
			}
		})
}

// readHotDevices reads the hot devices that the service reports. The service covers its last minute, so a shorter run
// skips this, as does a shard with a backend of its own, which sees only a part of the writes.
func (t *telemetry) readHotDevices(ctx context.Context, o *Observations) error {
	if t.config.Profile.Duration() < time.Minute || t.config.Shard.Of > 1 && t.config.Database != nil {
		return nil
	}
	hottest, err := t.admin.Hottest(ctx)
	if err != nil {
		return fmt.Errorf("cannot read the hottest devices: %w", err)
	}
	o.Telemetry.ReportedHot = []string{}
	for _, d := range hottest {
		if d.Hot {
			o.Telemetry.ReportedHot = append(o.Telemetry.ReportedHot, d.HardwareID)
		}
	}
	return nil
}

// Close revokes the API keys, even after the context ended.
func (t *telemetry) Close(ctx context.Context) error {
	t.apiKeys.revoke(ctx)
	t.admin.HTTP.CloseIdleConnections()
	return nil
}

// source generates the readings of one device of the population.
type source struct {
	plan fleet.Plan
	boot *fleet.Boot
	made int // readings so far
}

func newSource(seed uint64, number int) *source {
	p := fleet.NewPlan(seed, number, interval, fleet.FailureRates{})
	return &source{plan: p, boot: p.Events().Next().Boot}
}
