package kinesis

import (
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/internal/testutil/transcript"
)

// TestIteratorsSurviveAKill advances the clock, gets iterators, and replaces the service without closing it, as if it
// were killed, by one whose clock begins at the earlier time: the iterators miss no later record.
func TestIteratorsSurviveAKill(t *testing.T) {
	t.Parallel()
	const trim = `{"StreamName":"s","ShardId":"shardId-000000000000","ShardIteratorType":"TRIM_HORIZON"}`
	for name, get := range map[string]func(t *testing.T, d *testService){
		"latest": func(t *testing.T, d *testService) {
			d.say(t, "GetShardIterator", strings.Replace(trim, "TRIM_HORIZON", "LATEST", 1))
		},
		"next": func(t *testing.T, d *testService) {
			d.say(t, "GetShardIterator", trim)
			d.say(t, "GetRecords", `{"ShardIterator":"$ShardIterator"}`)
			d.held["ShardIterator"] = d.held["NextShardIterator"]
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestService(t)
			d.say(t, "CreateStream", `{"StreamName":"s","ShardCount":1}`)
			d.advance(t, "1m")
			first := d.say(t, "PutRecord", `{"StreamName":"s","PartitionKey":"k","Data":"YQ=="}`)
			d.advance(t, "1h")
			get(t, d)
			again := &testService{store: d.store, clock: clock.Manual(noon.Add(time.Minute)), held: transcript.Memory{
				"ShardIterator": d.held["ShardIterator"]}}
			var err error
			if again.service, err = New(Config{Store: d.store, Clock: again.clock, Seed: 2}); err != nil {
				t.Fatal(err)
			}
			second := again.say(t, "PutRecord", `{"StreamName":"s","PartitionKey":"k","Data":"Yg=="}`)
			if second <= first {
				t.Errorf("%s follows %s", second, first)
			}
			if answer := again.say(t, "GetRecords", `{"ShardIterator":"$ShardIterator"}`); !strings.Contains(answer, `"Yg=="`) {
				t.Errorf("the later record is missing: %s", answer)
			}
		})
	}
}
