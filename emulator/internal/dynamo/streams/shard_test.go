package streams

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
)

// TestExpiredShardsAreSkipped compares the shards of a stream with those computed from its beginning without
// skipping.
func TestExpiredShardsAreSkipped(t *testing.T) {
	t.Parallel()
	divisions := [][][]byte{{{}}, {{}, {0x80}}, {{}, {0x40}, {0x80}}, {{}, {0x40}, {0x80}, {0xc0}}}
	rapid.Check(t, func(t *rapid.T) {
		at := changelog.At(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
		later := func() changelog.Position {
			at += changelog.Position(rapid.Int64Range(1, int64(60*time.Hour)).Draw(t, "later"))
			return at
		}
		st := &Stream{ARN: "arn", Start: at}
		for range rapid.IntRange(1, 4).Draw(t, "divisions") {
			st.Partitioning = append(st.Partitioning,
				Partitioning{From: at, Bounds: rapid.SampledFrom(divisions).Draw(t, "bounds")})
			later()
		}
		if rapid.Bool().Draw(t, "ended") {
			st.End = later()
		}
		now := later()
		horizon := now - changelog.Position(streamRetention)
		want := []Shard{}
		for _, s := range st.Shards(now, 0) {
			if s.To == 0 || s.To >= horizon {
				want = append(want, s)
			}
		}
		if got := st.Shards(now, horizon); !reflect.DeepEqual(append([]Shard{}, got...), want) {
			t.Fatalf("the shards are\n%s\nwant\n%s", shown(got), shown(want))
		}
	})
}

func shown(all []Shard) (text string) {
	for _, s := range all {
		text += fmt.Sprintf("%s of %s: %x-%x, %s to %s\n", s.ID, s.Parent, s.Lo, s.Hi, s.From.Time(), s.To.Time())
	}
	return text
}

// TestShardsOfAVeryOldStream: advancing the clock by centuries does not compute the shards that nobody can read.
func TestShardsOfAVeryOldStream(t *testing.T) {
	t.Parallel()
	st := &Stream{ARN: "arn", Start: 1, Partitioning: []Partitioning{{From: 1, Bounds: [][]byte{{}}}}}
	now := changelog.At(time.Date(2250, 1, 1, 0, 0, 0, 0, time.UTC))
	r := &shardBuilder{stream: st, next: changelog.Position(shardLifetime),
		horizon: now - changelog.Position(streamRetention)}
	r.repartition(st.Partitioning[0])
	r.rollUntil(now)
	if n := len(r.closed) + len(r.open); n > 10 {
		t.Errorf("%d shards are followed to find those of a day", n)
	}
}
