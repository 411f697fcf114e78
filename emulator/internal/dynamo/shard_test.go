package dynamo

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"pgregory.net/rapid"
)

// TestShardsOfLongAgoAreSkipped compares the shards of a stream with those that are found by following it from its beginning.
func TestShardsOfLongAgoAreSkipped(t *testing.T) {
	t.Parallel()
	divisions := [][][]byte{{{}}, {{}, {0x80}}, {{}, {0x40}, {0x80}}, {{}, {0x40}, {0x80}, {0xc0}}}
	rapid.Check(t, func(t *rapid.T) {
		at := changelog.At(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
		later := func() changelog.Position {
			at += changelog.Position(rapid.Int64Range(1, int64(60*time.Hour)).Draw(t, "later"))
			return at
		}
		st := &stream{ARN: "arn", Start: at}
		for range rapid.IntRange(1, 4).Draw(t, "divisions") {
			st.Partitioning = append(st.Partitioning, partitioning{at, rapid.SampledFrom(divisions).Draw(t, "bounds")})
			later()
		}
		if rapid.Bool().Draw(t, "ended") {
			st.End = later()
		}
		now := later()
		horizon := now - changelog.Position(streamRetention)
		want := []shard{}
		for _, s := range st.shards(now, 0) {
			if s.to == 0 || s.to >= horizon {
				want = append(want, s)
			}
		}
		if got := st.shards(now, horizon); !reflect.DeepEqual(append([]shard{}, got...), want) {
			t.Fatalf("the shards are\n%s\nwant\n%s", shown(got), shown(want))
		}
	})
}

func shown(all []shard) (text string) {
	for _, s := range all {
		text += fmt.Sprintf("%s of %s: %x-%x, %s to %s\n", s.id, s.parent, s.lo, s.hi, s.from.Time(), s.to.Time())
	}
	return text
}

// TestAStreamOfCenturies: who advances the clock by centuries is not made to wait by what no shard is left of.
func TestAStreamOfCenturies(t *testing.T) {
	t.Parallel()
	st := &stream{ARN: "arn", Start: 1, Partitioning: []partitioning{{1, [][]byte{{}}}}}
	now := changelog.At(time.Date(2250, 1, 1, 0, 0, 0, 0, time.UTC))
	r := &roller{stream: st, next: changelog.Position(shardLife), horizon: now - changelog.Position(streamRetention)}
	r.divide(st.Partitioning[0])
	r.rollUntil(now)
	if n := len(r.closed) + len(r.open); n > 10 {
		t.Errorf("%d shards are followed to find those of a day", n)
	}
}
