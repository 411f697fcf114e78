package traffic

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/google/go-cmp/cmp"
	vegeta "github.com/tsenart/vegeta/v12/lib"

	"github.com/tabletop-db/tabletop/loadtest/profile"
	"github.com/tabletop-db/tabletop/simulators/sim"
)

// TestShardsMakeTheRequestsOfTheRun checks that eight shards together make the requests that one generator makes.
func TestShardsMakeTheRequestsOfTheRun(t *testing.T) {
	t.Parallel()
	telemetry := func(shard sim.Shard) (Subject, profile.Profile) {
		s, m := testTraffic(1)
		m.parts[0].Batch.Max = 3
		population, err := json.Marshal(s.Population())
		joined, _ := testTraffic(1)
		joined.apiKeys.keys = nil
		joined.config.Shard = shard
		if err != nil || joined.Join(t.Context(), population) != nil {
			t.Fatal(err)
		}
		return joined, profile.Profile{Mix: m.parts}
	}
	table := func(sim.Shard) (Subject, profile.Profile) {
		p := profile.Profile{ID: "SV-L9", System: "table", Population: profile.Population{"items": 50, "bytes": 100},
			Mix: []profile.Part{{Request: "put", Weight: 2}, {Request: "get", Weight: 1},
				{Request: "batch-put", Weight: 1, Batch: profile.Range{Min: 1, Max: 25}},
				{Request: "batch-get", Weight: 1, Batch: profile.Range{Min: 5, Max: 5}}}}
		s, err := newTable(Setup{Profile: p, Seed: 1, Database: &Database{AWS: aws.Config{Region: "us-east-1",
			Credentials: credentials.NewStaticCredentialsProvider("a", "b", "")}}})
		if err != nil {
			t.Fatal(err)
		}
		return s, p
	}
	for name, open := range map[string]func(sim.Shard) (Subject, profile.Profile){"telemetry": telemetry,
		"table": table} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const requests, shards = 96, 8
			first := func(shard sim.Shard, n int) (list []vegeta.Target) {
				s, p := open(shard)
				next := Targeter(t.Context(), s, p.Mix, shard)
				for range n {
					var target vegeta.Target
					if err := next(&target); err != nil {
						t.Fatal(err)
					}
					target.Header.Del("Authorization") // has the time
					target.Header.Del("X-Amz-Date")
					list = append(list, target)
				}
				return list
			}
			want, got := first(sim.Shard{}, requests), make([]vegeta.Target, requests)
			for k := 1; k <= shards; k++ {
				shard := sim.Shard{Number: k, Of: shards}
				for n, target := range first(shard, requests/shards) {
					got[shard.Arrival(uint64(n))] = target
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestJoinedFleetContinuesItsReadings checks that a shard that joins makes the readings after those that the first
// shard has sent.
func TestJoinedFleetContinuesItsReadings(t *testing.T) {
	t.Parallel()
	p := profile.Profile{System: "telemetry", Population: profile.Population{"devices": 3, "keys": 1, "readings": 2},
		Stages: []profile.Stage{{Rate: 1, Duration: profile.Duration(time.Second)}}}
	first := newTelemetry(Setup{Profile: p, Seed: 1}, time.Unix(1_700_000_000, 0))
	first.apiKeys.keys = []string{"key"}
	for range 2 {
		for _, s := range first.sources {
			first.reading(s)
		}
	}
	population, err := json.Marshal(first.Population())
	joined := newTelemetry(Setup{Profile: p, Seed: 1}, time.Unix(1_800_000_000, 0))
	if err != nil || joined.Join(t.Context(), population) != nil {
		t.Fatal(err)
	}
	a, b := first.reading(first.sources[2]), joined.reading(joined.sources[2])
	if diff := cmp.Diff(a, b); diff != "" || joined.apiKeys.keys[0] != "key" {
		t.Error(diff)
	}
}
