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

// age is how old the first readings are: far from their expiry, and so that few lie in the future.
const age = 30 * 24 * time.Hour

// telemetry is a fleet whose devices send and whose readings are looked at.
type telemetry struct {
	plain
	*chance
	config   Setup
	admin    *telemetryapi.Client
	made     *keys
	patience *sim.Patience
	sources  []*source
	start    time.Time      // of the first reading of each device
	recent   []readings     // the last bodies that were sent first, for repeats
	dealt    int            // requests made
	uses     []atomic.Int64 // requests sent with each key
	results  result.Outcomes
	early    map[string]bool // readings of before the attack, by batch id
	stored   acknowledged    // those of the attack
	writes   *writes
}

func newTelemetry(c Setup, now time.Time) *telemetry {
	pop := c.Profile.Population
	t := &telemetry{chance: newChance(c.Seed), config: c, start: now.UTC().Truncate(time.Millisecond).Add(-age),
		admin: &telemetryapi.Client{BaseURL: c.BaseURL, AdminToken: c.AdminToken, HTTP: NewClient(builders)},
		uses:  make([]atomic.Int64, pop["keys"]), early: map[string]bool{}, stored: acknowledged{}, writes: newWrites(hotRule(c.Profile.Duration()))}
	t.made, t.patience = &keys{admin: t.admin}, &sim.Patience{Backend: c.BaseURL}
	for n := range pop["devices"] {
		t.sources = append(t.sources, newSource(c.Seed, n))
	}
	return t
}

// memory is how many bodies are kept for repeats.
const memory = 32

func (t *telemetry) remember(body readings) {
	if len(t.recent) == memory {
		t.recent = t.recent[1:]
	}
	t.recent = append(t.recent, body)
}

// reading makes the device's next reading.
func (t *telemetry) reading(s *source) telemetryapi.Reading {
	s.made++
	return s.plan.Reading(t.start, time.Duration(s.made)*interval, s.boot)
}

// next presents the keys in turn.
func (t *telemetry) next(_ context.Context, number int, p profile.Part) (request, error) {
	r, err := t.request(number, p).encoded(t.config.BaseURL)
	if err != nil {
		return request{}, err
	}
	key := t.dealt % len(t.made.keys)
	t.dealt++
	r.header.Set("X-Api-Key", t.made.keys[key])
	r.sent = func() { t.uses[key].Add(1) }
	return r, nil
}

// Answered counts what became of the readings of a request.
func (t *telemetry) Answered(kind string, r *vegeta.Result, at time.Duration) (stored int64, wrong string) {
	if kind != "ingest" && kind != "repeat" || r.Error != "" {
		return 0, ""
	}
	var ack telemetryapi.Ack
	if err := json.Unmarshal(r.Body, &ack); err != nil {
		return 0, "the answer is not the API's JSON"
	}
	for _, o := range ack.Results {
		if o.Status == telemetryapi.Stored {
			t.writes.add(hardwareID(o.BatchID), at)
			t.stored.add(o.BatchID)
		}
	}
	t.results.Stored += int64(ack.Stored)
	t.results.Duplicate += int64(ack.Duplicate)
	t.results.Rejected += int64(ack.Rejected)
	return int64(ack.Stored), ""
}

// hardwareID is the beginning of a batch id that our own devices made.
func hardwareID(batchID string) string {
	id, _, _ := strings.Cut(batchID, "_")
	return id
}

// Measure tells what became of the readings, which devices wrote too much, and how the requests spread over the keys.
func (t *telemetry) Measure(ctx context.Context, r *result.Report) error {
	r.Readings, r.Keys = &t.results, t.keyShares(r)
	r.HotDevice, r.Hot = &t.writes.rule, t.writes.hot()
	if err := t.askHottest(ctx, r); err != nil {
		return err
	}
	if t.config.Database == nil {
		return nil
	}
	there := map[string]int{}
	table := t.config.Database.Prefix + "device_readings"
	err := usage.Scan(ctx, dynamodb.NewFromConfig(t.config.Database.AWS), table, func(item map[string]types.AttributeValue) {
		if id, ok := item["batch_id"].(*types.AttributeValueMemberS); ok {
			there[id.Value]++
		}
	})
	r.Kept = t.stored.reckon(there, t.early, r.Errors)
	return err
}

// askHottest has the service name the devices of this attack that write too much. It tells of its last minute, and so
// nothing yet of a run that is shorter.
func (t *telemetry) askHottest(ctx context.Context, r *result.Report) error {
	if t.config.Profile.Duration() < time.Minute {
		return nil
	}
	hottest, err := t.admin.Hottest(ctx)
	if err != nil {
		return fmt.Errorf("cannot read the hottest devices: %w", err)
	}
	r.NamedHot = []string{}
	for _, d := range hottest {
		if _, ours := t.writes.count[d.HardwareID]; ours && d.Hot {
			r.NamedHot = append(r.NamedHot, d.HardwareID)
		}
	}
	return nil
}

// Close makes the keys useless, even after the context ended.
func (t *telemetry) Close(ctx context.Context) error {
	t.made.revoke(ctx)
	t.admin.HTTP.CloseIdleConnections()
	return nil
}

// keyShares is how the requests that were sent spread over the keys.
func (t *telemetry) keyShares(r *result.Report) *result.KeyShares {
	var most, sum int64
	for i := range t.uses {
		n := t.uses[i].Load()
		most, sum = max(most, n), sum+n
	}
	even := (sum + int64(len(t.uses)) - 1) / int64(len(t.uses))
	return &result.KeyShares{Keys: len(t.uses), LookupsPerSec: float64(sum) / r.Seconds, HottestShare: float64(most) / float64(max(sum, 1)), FairShare: float64(even) / float64(max(sum, 1))}
}

// source is a device of the population as the generator of its readings.
type source struct {
	plan fleet.Plan
	boot *fleet.Boot
	made int // readings so far
}

func newSource(seed uint64, number int) *source {
	p := fleet.NewPlan(seed, number, interval, fleet.Trouble{})
	return &source{plan: p, boot: p.Events().Next().Boot}
}
