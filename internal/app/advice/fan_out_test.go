package advice

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/tabletop-db/tabletop/internal/model/recording"
)

// shards makes ten partitions with jobs in some of them.
func shards(p program, withJobs int) {
	p.table("jobs", "shard", "job")
	for i := range withJobs {
		p.put("jobs", item{"shard": fmt.Sprint("shard-", i), "job": "1"})
	}
}

// poll queries all shards a few times.
func poll(p program, rounds int, between func()) {
	for range rounds {
		for i := range 10 {
			p.must(p.Query(p.Context(), partition("jobs", "shard", fmt.Sprint("shard-", i))))
		}
		between()
	}
}

func TestFanOut(t *testing.T) {
	t.Parallel()
	const problem = "4 reads query 10 partitions each; 36 of 40 queries find nothing"
	f := wantOne(t, "fan-out", "jobs", problem, func(p program) {
		shards(p, 1)
		poll(p, 4, func() { p.get("jobs", item{"shard": "shard-1", "job": "1"}) })
	})
	if want := "begins 10 queries until #12, 9 of which find nothing"; f.Times != 4 || f.Shown[0].Text != want {
		t.Errorf("%+v, want %q", f, want)
	}
}

func TestFanOutIsSilent(t *testing.T) {
	t.Parallel()
	nothing := func() {}
	wantSilence(t, "fan-out", map[string]func(program){
		"shards of a busy list": func(p program) { shards(p, 10); poll(p, 5, nothing) },
		"one read of all":       func(p program) { shards(p, 1); poll(p, 1, nothing) },
		"four shards": func(p program) {
			shards(p, 1)
			for range 10 {
				for i := range 4 {
					p.must(p.Query(p.Context(), partition("jobs", "shard", fmt.Sprint("shard-", i))))
				}
			}
		},
		"customers that look into their own boxes": func(p program) {
			shards(p, 1)
			for i := range 40 {
				p.must(p.Query(p.Context(), partition("jobs", "shard", fmt.Sprint("shard-", i*i%10))))
			}
		},
		"devices in turn, each of which then does something": func(p program) {
			shards(p, 1)
			for i := range 40 {
				p.must(p.Query(p.Context(), partition("jobs", "shard", fmt.Sprint("shard-", i%10))))
				p.put("jobs", item{"shard": "done", "job": fmt.Sprint(i)})
			}
		},
		"single customers as well": func(p program) {
			shards(p, 1)
			poll(p, 4, func() {
				for range 2 {
					p.get("jobs", item{"shard": "shard-1", "job": "1"})
					p.must(p.Query(p.Context(), partition("jobs", "shard", "shard-3")))
				}
				p.get("jobs", item{"shard": "shard-1", "job": "1"})
			})
		},
		"names without numbers": func(p program) {
			p.table("jobs", "shard", "job")
			for range 5 {
				for _, city := range []string{"Oslo", "Rome", "Bonn", "Kyiv", "Cork", "Lima"} {
					p.must(p.Query(p.Context(), partition("jobs", "shard", city)))
				}
			}
		},
		"pages of one partition": func(p program) {
			shards(p, 1)
			for range 20 {
				in := partition("jobs", "shard", "shard-0")
				in.ExclusiveStartKey, in.Limit = item{"shard": "shard-0", "job": "0"}.attributes(), aws.Int32(1)
				p.must(p.Query(p.Context(), in))
			}
		},
	})
}

// TestARoundOfQueriesEnds queries ever new partitions: a round of them would take ever more time and memory.
func TestARoundOfQueriesEnds(t *testing.T) {
	t.Parallel()
	v := &Review{Tables: map[string]*Table{"jobs": {Name: "jobs", Key: Key{Partition: "shard"}}}}
	s := &fans{review: v, open: map[string]*fan{}, of: map[string]*fanned{}}
	for i := range 3 * maxPartitions {
		s.see(&Request{Entry: &recording.Entry{Operation: "Query", Status: 200}, Body: map[string]any{"TableName": "jobs",
			"KeyConditionExpression":    "shard = :s",
			"ExpressionAttributeValues": map[string]any{":s": map[string]any{"S": fmt.Sprint("shard-", i)}}}})
		for _, f := range s.open {
			if len(f.partitions) > maxPartitions {
				t.Fatalf("after %d queries the round has %d", i+1, len(f.partitions))
			}
		}
	}
	if found := s.conclude(); len(found) > 0 {
		t.Errorf("found %+v", found)
	}
}
