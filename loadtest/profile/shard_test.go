package profile

import (
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// TestShardsDivideTheSchedule checks that each request of a run is sent by exactly one shard, when it is due.
func TestShardsDivideTheSchedule(t *testing.T) {
	t.Parallel()
	pacer := Pacer{{Rate: 7, To: 31, Duration: Duration(2 * time.Second)}, {Rate: 20, Duration: Duration(time.Second)}}
	total := uint64(Profile{Stages: pacer}.Requests())
	for _, of := range []int{1, 2, 3, 8, 100} {
		sent := map[uint64]int{}
		for k := 1; k <= of; k++ {
			s := sim.Shard{Number: k, Of: of}
			for n := uint64(0); ; n++ {
				number := s.Arrival(n)
				if _, stop := pacer.Pace(0, number); stop {
					break
				}
				if !s.Sends(number) {
					t.Errorf("shard %v makes request %d only on schedule", s, number)
				}
				sent[number]++
			}
		}
		for number := range total {
			if sent[number] != 1 {
				t.Errorf("%d shards send request %d %d times", of, number, sent[number])
			}
		}
		if uint64(len(sent)) != total {
			t.Errorf("%d shards send %d requests, not %d", of, len(sent), total)
		}
	}
}

func TestPartsOfATotal(t *testing.T) {
	t.Parallel()
	sum := 0
	for k := 1; k <= 8; k++ {
		sum += sim.Shard{Number: k, Of: 8}.Part(4003)
	}
	if sum != 4003 || (sim.Shard{}).Part(5) != 5 || (sim.Shard{Number: 8, Of: 8}).Part(3) != 1 {
		t.Errorf("the parts add up to %d", sum)
	}
}

func TestParseShard(t *testing.T) {
	t.Parallel()
	if s, err := sim.ParseShard("3/8"); err != nil || s != (sim.Shard{Number: 3, Of: 8}) || s.String() != "3/8" {
		t.Errorf("%v, %v", s, err)
	}
	for _, text := range []string{"", "3", "0/8", "9/8", "1/0", "1/1001", "a/8", "3/8/1", "-1/8"} {
		if s, err := sim.ParseShard(text); err == nil {
			t.Errorf("%q is %v", text, s)
		}
	}
}
