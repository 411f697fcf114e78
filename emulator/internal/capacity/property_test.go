package capacity_test

import (
	"bytes"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tabletop-db/tabletop/emulator/internal/capacity"
)

// TestNoRateIsExceeded checks, for random requests at random times, that no more is admitted than what was saved, what
// was added since, and the debt of the last request; and that the partitions divide the key space, whatever splits
// them.
func TestNoRateIsExceeded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rate := float64(rapid.IntRange(1, 3000).Draw(t, "rate"))
		r := capacity.New(capacity.Config{
			Name: "orders", Provisioned: capacity.Units{Read: 1, Write: rate}, Enforce: true,
			LocalIndexes: rapid.Bool().Draw(t, "local indexes"),
		}, begin)
		now, spent, largest := begin, 0.0, 0.0
		for range rapid.IntRange(1, 60).Draw(t, "bursts") {
			now = now.Add(time.Duration(rapid.IntRange(0, 400_000).Draw(t, "pause")) * time.Millisecond)
			units := float64(rapid.IntRange(1, 200).Draw(t, "units"))
			key := append(rapid.SliceOfN(rapid.Byte(), 4, 5).Draw(t, "hash"), "key\x00\x01"...)
			grows := int64(rapid.IntRange(0, 3<<30).Draw(t, "bytes"))
			largest = max(largest, units)
			for range rapid.IntRange(1, 40).Draw(t, "requests") {
				charge := capacity.Charge{Resource: r, Write: true, Units: units, Key: key, Collection: len(key)}
				if capacity.Take(now, []capacity.Charge{charge}) == nil {
					spent += units
					r.Grow(key, grows)
				}
			}
			if most := rate*(1+now.Sub(begin).Seconds()) + largest; spent > most+1e-3 {
				t.Fatalf("%v units in %v at %v a second", spent, now.Sub(begin), rate)
			}
			divided(t, r, now)
		}
	})
}

func divided(t *rapid.T, r *capacity.Resource, now time.Time) {
	all := r.Partitions(now)
	seen := map[uint32]bool{}
	for i, p := range all {
		last := i == len(all)-1
		switch {
		case seen[p.ID]:
			t.Fatalf("partition %d is there twice", p.ID)
		case i == 0 && len(p.Lo) > 0, last && len(p.Hi) > 0:
			t.Fatalf("the partitions leave keys out: %+v", all)
		case !last && (!bytes.Equal(p.Hi, all[i+1].Lo) || bytes.Compare(p.Lo, p.Hi) >= 0):
			t.Fatalf("partition %d does not meet the next one: %+v", p.ID, all)
		}
		seen[p.ID] = true
	}
}
