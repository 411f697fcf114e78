package dynamo

import (
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
)

// TestIteratorsOfStreamsSurviveAKill advances the clock, reads a stream, and replaces the service without closing it,
// as if it were killed, by one whose clock begins at the earlier time: the shards still exist, the iterators miss no
// later change, and sequence numbers continue to grow.
func TestIteratorsOfStreamsSurviveAKill(t *testing.T) {
	t.Parallel()
	for _, by := range []time.Duration{time.Minute, 4 * time.Hour, 9 * time.Hour} {
		t.Run(by.String(), func(t *testing.T) {
			t.Parallel()
			state := openMemory(t)
			s := killedStream{Service: withOrders(t, state, 0)}
			mustRun(t, s.Service, "UpdateTable",
				`{"TableName":"orders","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}`)
			s.put(t, "before")
			s.arn = s.must(t, "DescribeTable", `{"TableName":"orders"}`, `"LatestStreamArn":"([^"]+)"`)
			if err := s.engine.Clock.Advance(by); err != nil {
				t.Fatal(err)
			}
			shard := s.lastShard(t)
			s.Service = openService(t, state, clock.Manual(time.Unix(1_800_000_000, 0)))
			if again := s.lastShard(t); again != shard {
				t.Fatalf("after the kill, the last shard is %s, not %s", again, shard)
			}
			if err := s.engine.Clock.Advance(by + time.Minute); err != nil {
				t.Fatal(err)
			}
			latest := s.iterator(t, shard, "LATEST")
			s.Service = openService(t, state, clock.Manual(time.Unix(1_800_000_000, 0)))
			if err := s.engine.Clock.Advance(by + 2*time.Minute); err != nil {
				t.Fatal(err)
			}
			next := s.must(t, "GetRecords", fmt.Sprintf(`{"ShardIterator":%q}`, s.iterator(t, shard, "TRIM_HORIZON")),
				`"NextShardIterator":"([^"]+)"`)
			s.Service = openService(t, state, clock.Manual(time.Unix(1_800_000_000, 0)))
			s.put(t, "later")
			number := ""
			for _, at := range []string{latest, next} {
				number = s.must(t, "GetRecords", fmt.Sprintf(`{"ShardIterator":%q}`, at),
					`"later-.*"SequenceNumber":"([^"]+)"`)
			}
			s.put(t, "last")
			if after := s.must(t, "GetRecords", fmt.Sprintf(`{"ShardIterator":%q}`, next),
				`"last-.*"SequenceNumber":"([^"]+)"`); after <= number {
				t.Errorf("sequence number %s follows %s", after, number)
			}
		})
	}
}

// killedStream is a service whose table orders has a stream.
type killedStream struct {
	*Service
	arn string
}

// must runs an operation and returns the first group, or else the match, of a pattern in its answer.
func (s *killedStream) must(t *testing.T, operation, body, pattern string) string {
	t.Helper()
	answer, err := runOperation(s.Service, requestFor(s.engine.SharedAccount.Load()), operation, []byte(body), nil)
	found := regexp.MustCompile(pattern).FindSubmatch(answer)
	if err != nil || found == nil {
		t.Fatalf("%s %s: %s %v", operation, body, answer, err)
	}
	return string(found[len(found)-1])
}

// put puts items into all shards.
func (s *killedStream) put(t *testing.T, name string) {
	t.Helper()
	for i := range 20 {
		s.must(t, "PutItem", fmt.Sprintf(`{"TableName":"orders","Item":{"id":{"S":"%s-%d"}}}`, name, i), ``)
	}
}

func (s *killedStream) lastShard(t *testing.T) string {
	t.Helper()
	return s.must(t, "DescribeStream", fmt.Sprintf(`{"StreamArn":%q}`, s.arn), `.*"ShardId":"([^"]+)"`)
}

func (s *killedStream) iterator(t *testing.T, shard, kind string) string {
	t.Helper()
	return s.must(t, "GetShardIterator", fmt.Sprintf(`{"StreamArn":%q,"ShardId":%q,"ShardIteratorType":%q}`, s.arn,
		shard, kind), `"ShardIterator":"([^"]+)"`)
}
