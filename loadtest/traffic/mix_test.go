package traffic

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/tabletop-db/tabletop/loadtest/profile"
)

func TestMixMatchesTheWeights(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var parts []profile.Part
		sum := 0
		for _, w := range rapid.SliceOfN(rapid.IntRange(1, 50), 1, 6).Draw(t, "weights") {
			parts = append(parts, profile.Part{Weight: w})
			sum += w
		}
		m := newMix(parts)
		got := make([]int, len(parts))
		for n := 1; n <= 2*sum; n++ {
			got[m.next()]++
			for i, p := range parts {
				// At any time the distance of a part from its share is at most the number of parts.
				if due := float64(n*p.Weight) / float64(sum); math.Abs(float64(got[i])-due) > float64(len(parts)) {
					t.Fatalf("part %d had %d of %d turns, %.1f are due", i, got[i], n, due)
				}
			}
		}
		for i, p := range parts {
			if got[i] != 2*p.Weight {
				t.Fatalf("part %d had %d turns, want %d", i, got[i], 2*p.Weight)
			}
		}
	})
}
