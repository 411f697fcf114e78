package loadtest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/loadtest/result"
	"github.com/tabletop-db/tabletop/loadtest/traffic"
	"github.com/tabletop-db/tabletop/loadtest/usage"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// generator is one generator of a simulated run: its results come from the test.
type generator struct {
	collector *collector
	subject   traffic.Subject
	meter     *usage.Meter
}

func newGenerator(t *testing.T, p profile.Profile, shard sim.Shard, began time.Time) *generator {
	t.Helper()
	s, err := traffic.Setup{Profile: p, BaseURL: "http://x", Shard: shard}.Open()
	if err != nil {
		t.Fatal(err)
	}
	return &generator{newCollector(p, shard, began, s.HandleResponse), s, &usage.Meter{}}
}

// measurements returns what the generator measured, as a shard writes and reads it.
func (g *generator) measurements(t *testing.T, shard sim.Shard) *Measurements {
	t.Helper()
	m := &Measurements{Shard: shard, Run: "run", Profile: g.collector.profile, Scale: 1,
		Requests: g.collector.counts, DynamoDB: g.meter.Usage()}
	if err := g.subject.Observe(t.Context(), &m.System); err != nil {
		t.Fatal(err)
	}
	if shard.Leads() {
		m.Heat = []result.Heat{{Resource: "readings", Reads: 300, Writes: 50, Utilization: 0.4, KeyShare: 0.5}}
		m.System.Early, m.System.Stored = map[string]bool{"early": true}, map[string]int{"early": 1, "d1_boot_0_1": 3}
	}
	name := filepath.Join(t.TempDir(), "shard.json")
	text, err := json.Marshal(m)
	if err != nil || os.WriteFile(name, text, 0o600) != nil {
		t.Fatal(err)
	}
	if m, err = ReadMeasurements(name); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestEightShardsMergedEqualOneRun gives the same random responses to one generator and to eight: the merged histograms
// have the same bytes, and the counts, units, verdicts and every other figure are equal.
func TestEightShardsMergedEqualOneRun(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(seed, 0))
			most := 100.0
			p := profile.Profile{ID: "TL-L9", System: "telemetry", Population: profile.Population{"keys": 3},
				Mix: []profile.Part{{Request: "ingest", Weight: 3}, {Request: "latest", Weight: 1}},
				Stages: []profile.Stage{{Rate: 1 + float64(rng.IntN(40)), To: 5 + float64(rng.IntN(40)),
					Duration: profile.Duration(time.Duration(1+rng.IntN(40)) * time.Second), WarmUp: rng.IntN(2) == 0},
					{Rate: 30, Duration: profile.Duration(20 * time.Second)}},
				Access: []profile.Access{{ID: "TL-L9", Request: "ingest", Writes: &profile.Span{Min: 1, Max: 1}}}}
			for _, metric := range []string{"p50_ms", "p99_ms", "max_ms", "write_p99_ms", "error_share", "rate_share",
				"readings_per_second", "hot_devices", "hottest_key_share", "lost", "write_units_per_second", "partition_use"} {
				p.Limits = append(p.Limits, profile.Limit{ID: "TL-L9", Metric: metric, AtMost: &most})
			}
			began := time.Unix(1_700_000_000, 0)
			one := newGenerator(t, p, sim.Shard{}, began)
			var eight []*generator
			for k := 1; k <= 8; k++ {
				eight = append(eight, newGenerator(t, p, sim.Shard{Number: k, Of: 8}, began))
			}
			for number := range uint64(p.Requests()) {
				r := randomResult(t, rng, p, began, number)
				own := *r
				own.Seq = number / 8
				one.collector.add(r)
				shard := eight[number%8]
				shard.collector.add(&own)
				units, at := float64(rng.IntN(9))/2, r.End()
				for _, g := range []*generator{one, shard} {
					g.meter.Record(traffic.KindOf(r), "PutItem readings", "readings", false, units, at)
				}
			}
			var parts []*Measurements
			for i, g := range eight {
				parts = append(parts, g.measurements(t, sim.Shard{Number: i + 1, Of: 8}))
			}
			rng.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
			merged, err := Merge(parts)
			if err != nil {
				t.Fatal(err)
			}
			compareRuns(t, one.measurements(t, sim.Shard{}), merged)
		})
	}
}

func compareRuns(t *testing.T, one, merged *Measurements) {
	t.Helper()
	merged.Shard = one.Shard
	a, errA := json.Marshal(one)
	b, errB := json.Marshal(merged)
	if errA != nil || errB != nil || string(a) != string(b) {
		t.Errorf("measurements: %v, %v\n%.2000s\n%.2000s", errA, errB, a, b)
	}
	want, errA := one.Report()
	got, errB := merged.Report()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); errA != nil || errB != nil || diff != "" {
		t.Errorf("%v, %v: %s", errA, errB, diff)
	}
	if h := got.Heat[0]; h.WritesPerSecond != 50/got.Seconds || h.Utilization != 0.4/got.Seconds {
		t.Errorf("%+v in %v s", h, got.Seconds)
	}
	if len(got.Verdicts) < 12 || got.Latency.P99 == 0 || got.Consumed[0].WriteUnits == 0 {
		t.Errorf("the report is empty: %+v", got)
	}
}

// randomResult returns the result of a request: late or not, slow or fast, failed or not.
func randomResult(t *testing.T, rng *rand.Rand, p profile.Profile, began time.Time, number uint64) *vegeta.Result {
	t.Helper()
	due, _ := profile.Pacer(p.Stages).Due(number)
	r := &vegeta.Result{Seq: number, Code: 200, Timestamp: began.Add(due + time.Duration(rng.IntN(2)*rng.IntN(3e9))),
		Latency: time.Duration(rng.ExpFloat64() * float64(20*time.Millisecond)), URL: "http://x/#latest", Body: []byte("{}")}
	switch rng.IntN(10) {
	case 0:
		r.Code, r.Error, r.Body = 503, "503 Service Unavailable", fmt.Appendf(nil, `{"detail":"busy %d"}`, rng.IntN(3))
	case 1, 2:
	default:
		r.URL, r.Body = "http://x/#ingest", ack(t, fmt.Sprintf("d%d", rng.IntN(5)), "stored")
	}
	return r
}

// TestOnlyCompleteRunsAreMerged checks the message about shards that do not make up one run.
func TestOnlyCompleteRunsAreMerged(t *testing.T) {
	t.Parallel()
	shard := func(k, of int, run string) *Measurements {
		m := &Measurements{Shard: sim.Shard{Number: k, Of: of}, Run: run}
		m.Profile.ID = "TL-L1"
		m.Requests = newCounts(m.Profile)
		return m
	}
	for want, parts := range map[string][]*Measurements{
		"no measurements of shards":                                 nil,
		"shard 2/3 of TL-L1 is missing: wait for it":                {shard(3, 3, "a"), shard(1, 3, "a")},
		"shard 1/2 of TL-L1 is there twice":                         {shard(1, 2, "a"), shard(1, 2, "a")},
		"shard 2/2 of TL-L1 are of different runs: merge only the ": {shard(1, 2, "a"), shard(2, 2, "b")},
		"shard 2/3 of TL-L1 are of different runs":                  {shard(1, 2, "a"), shard(2, 3, "a")},
		"shard 3/2 of TL-L1 is damaged":                             {shard(3, 2, "a")},
	} {
		if _, err := Merge(parts); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	name := filepath.Join(t.TempDir(), "loadtest.json")
	if err := os.WriteFile(name, []byte("[]"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadMeasurements(name); err == nil || !strings.Contains(err.Error(), "was not written by") {
		t.Errorf("another file: %v", err)
	}
}

// TestHistogramsKeepTheirBytes checks that a histogram that was written and read is the same.
func TestHistogramsKeepTheirBytes(t *testing.T) {
	t.Parallel()
	for _, values := range [][]int64{nil, {1}, {1, 1, 600_000_000}, {700_000_000, 31, 5000}} {
		h := result.NewHistogram(3)
		for _, v := range values {
			h.Record(v)
		}
		text, err := h.MarshalText()
		var again result.Histogram
		if err != nil || again.UnmarshalText(text) != nil || !again.Equals(h.Histogram) {
			t.Errorf("%v: %s, %v", values, text, err)
		}
	}
}

// TestErrorTextsAreBounded checks that texts beyond the limit are counted together, in a run and in a merge.
func TestErrorTextsAreBounded(t *testing.T) {
	t.Parallel()
	one, other := newCounts(profile.Profile{}), newCounts(profile.Profile{})
	for i := range 2 * maxErrorTexts {
		one.countError(fmt.Sprint("one ", i), 1)
		other.countError(fmt.Sprint("other ", i), 1)
	}
	for range 2 {
		if len(one.Errors) != maxErrorTexts+1 || one.Errors["one 0"] != 1 {
			t.Errorf("%d texts", len(one.Errors))
		}
		one.add(&other)
	}
	var sum int64
	for _, n := range one.Errors {
		sum += n
	}
	if sum != 6*maxErrorTexts {
		t.Errorf("%d errors", sum)
	}
}
