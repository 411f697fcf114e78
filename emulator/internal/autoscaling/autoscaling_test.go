package autoscaling

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/cloudwatch"
	"github.com/tabletop-db/tabletop/emulator/internal/metrics"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/transcript"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// fakeTables are tables and indexes, as TABLE or TABLE/INDEX, with their capacity. Tests of the emulator scale real
// ones.
type fakeTables struct {
	mu     sync.Mutex
	all    map[string]Capacity
	broken bool // it panics
}

func (f *fakeTables) Capacity(_ context.Context, _, table, index string) (Capacity, bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.broken {
		panic("the tables are broken")
	}
	c, ok := f.all[strings.TrimSuffix(table+"/"+index, "/")]
	return c, ok, nil
}

func (f *fakeTables) SetCapacity(_ context.Context, _, table, index string, reads, writes int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all[strings.TrimSuffix(table+"/"+index, "/")] = Capacity{Reads: reads, Writes: writes}
	return nil
}

// testService is a new service, whose clock is stopped at noon.
type testService struct {
	service *Service
	clock   *clock.Clock
	tables  *fakeTables
	held    transcript.Memory // members of responses that later requests name as $Member
}

func newTestService(t testing.TB) *testService {
	t.Helper()
	s, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := &testService{clock: clock.Manual(noon), held: transcript.Memory{}, tables: &fakeTables{all: map[string]Capacity{
		"orders": {Reads: 5, Writes: 5}, "orders/by-customer": {Reads: 5, Writes: 5}, "on-demand": {}}}}
	registry := metrics.New(d.clock)
	alarms, err := cloudwatch.New(cloudwatch.Config{Store: s, Clock: d.clock, Metrics: registry})
	if err != nil {
		t.Fatal(err)
	}
	if d.service, err = New(Config{Store: s, Clock: d.clock, Metrics: registry, Alarms: alarms, Tables: d.tables, Seed: 1,
		Running: s.NewGate()}); err != nil {
		t.Fatal(err)
	}
	alarms.OnScalingAction(d.service.Wake)
	t.Cleanup(func() {
		for _, closed := range []func() error{d.service.Close, alarms.Close, s.Close} {
			if err := closed(); err != nil {
				t.Error(err)
			}
		}
	})
	return d
}

// TestTranscripts runs conversations with the service. A request may name a member of an earlier response as $Member.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	transcript.Run(t, func(t testing.TB) transcript.Partner {
		d := newTestService(t)
		return transcript.Partner{Advance: d.advance, Reload: d.service.Reload, Say: d.say}
	})
}

func (d *testService) advance(t testing.TB, by string) {
	t.Helper()
	transcript.Advance(t, d.clock, by)
}

// say sends a request and returns the response.
func (d *testService) say(t testing.TB, operation, request string) string {
	t.Helper()
	w := transcript.Post(d.service, transcript.JSON, TargetPrefix+operation,
		"test/20261121/us-east-1/application-autoscaling", d.held.Fill(request))
	var response map[string]any
	decoder := json.NewDecoder(bytes.NewReader(w.Body.Bytes()))
	decoder.UseNumber()
	if err := decoder.Decode(&response); err != nil {
		t.Fatalf("%s %s: %v", operation, request, err)
	}
	if kind, ok := response["__type"]; ok {
		if message, ok := response["message"]; ok {
			return fmt.Sprintf("%v, of the front: %v\n", kind, message)
		}
		message, _ := response["Message"].(string)
		return strings.TrimSuffix(fmt.Sprintf("%v: %s", kind, message), ": ") + "\n"
	}
	for name, value := range response {
		if text, ok := value.(string); ok {
			d.held[name] = text
		}
	}
	text, err := json.MarshalIndent(response, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + "\n"
}

// TestAnActionThatPanicsIsRepeated makes a scheduled action panic, which is run again a minute later.
func TestAnActionThatPanicsIsRepeated(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	const target = `"ServiceNamespace":"dynamodb","ResourceId":"table/orders",` +
		`"ScalableDimension":"dynamodb:table:ReadCapacityUnits"`
	d.say(t, "RegisterScalableTarget", `{`+target+`,"MinCapacity":1,"MaxCapacity":10}`)
	d.say(t, "PutScheduledAction", `{`+target+`,"ScheduledActionName":"a","Schedule":"at(2026-11-21T13:00:00)",`+
		`"ScalableTargetAction":{"MinCapacity":7}}`)
	d.tables.broken = true
	d.advance(t, "1h")
	if d.tables.broken = false; d.tables.all["orders"].Reads != 5 {
		t.Fatalf("the capacity is %+v after a panic", d.tables.all["orders"])
	}
	d.advance(t, "1m")
	if d.tables.all["orders"].Reads != 7 {
		t.Errorf("the capacity is %+v a minute later", d.tables.all["orders"])
	}
}

// TestAStoredRunInThePastRunsOnce checks an action of a folder that an older version wrote, which computed its next run
// with an overflow.
func TestAStoredRunInThePastRunsOnce(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	d.say(t, "RegisterScalableTarget", `{"ServiceNamespace":"dynamodb","ResourceId":"table/orders",`+
		`"ScalableDimension":"dynamodb:table:ReadCapacityUnits","MinCapacity":5,"MaxCapacity":10}`)
	of := key{resource: "table/orders", dimension: "dynamodb:table:ReadCapacityUnits"}
	stored, least := d.service.find(of).clone(), int64(6)
	stored.Actions = []scheduledAction{{Name: "a", Schedule: "rate(213503 days)", Created: seconds(noon),
		Action: scalableTargetAction{MinCapacity: &least}, Next: seconds(noon.AddDate(-1, 0, 0))}}
	if err := d.service.saveTarget(stored); err != nil {
		t.Fatal(err)
	}
	if err := d.service.Reload(); err != nil {
		t.Fatal(err)
	}
	d.advance(t, "1h")
	if next, want := timeOf(d.service.find(of).Actions[0].Next), noon.AddDate(0, 0, 213503); !next.Equal(want) {
		t.Errorf("the action runs next at %v, want %v", next, want)
	}
}

// TestAPolicyThatPanicsIsRepeated makes a policy panic, whose table has no load.
func TestAPolicyThatPanicsIsRepeated(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	const target = `"ServiceNamespace":"dynamodb","ResourceId":"table/orders",` +
		`"ScalableDimension":"dynamodb:table:ReadCapacityUnits"`
	d.say(t, "RegisterScalableTarget", `{`+target+`,"MinCapacity":1,"MaxCapacity":10}`)
	d.say(t, "PutScalingPolicy", `{`+target+`,"PolicyName":"p","PolicyType":"TargetTrackingScaling",`+
		`"TargetTrackingScalingPolicyConfiguration":{"TargetValue":70,"PredefinedMetricSpecification":`+
		`{"PredefinedMetricType":"DynamoDBReadCapacityUtilization"}}}`)
	d.tables.broken = true
	d.advance(t, "16m")
	if d.tables.broken = false; d.tables.all["orders"].Reads != 5 {
		t.Fatalf("the capacity is %+v after a panic", d.tables.all["orders"])
	}
	d.advance(t, "1m")
	if d.tables.all["orders"].Reads != 1 {
		t.Errorf("the capacity is %+v a minute later", d.tables.all["orders"])
	}
}
