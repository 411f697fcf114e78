package advice

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestAutoScaled(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		perSecond  map[int]float64
		span       int
		average    float64
		sufficient bool
	}{
		"steady":             {map[int]float64{0: 7, 1: 7, 2: 7, 3: 7}, 4, 10, true},
		"nothing":            {nil, 2, 1, true},
		"begins late":        {map[int]float64{1: 7, 2: 7}, 3, 7, true},
		"rises slowly":       {map[int]float64{0: 7, 1: 9, 2: 10, 3: 12}, 4, 14, true},
		"rises at once":      {map[int]float64{0: 7, 1: 70}, 2, 55, false},
		"comes back at once": {map[int]float64{20: 0.1, 21: 70}, 22, 5.5, false},
		"ends":               {map[int]float64{2: 7}, 100, 2.44, true},
		"after a long time":  {map[int]float64{0: 7, 1 << 39: 0.5}, 1 << 40, 1, true}, // the clock was set forward
	}
	for name, c := range cases {
		average, sufficient := autoScaled(c.perSecond, c.span)
		if math.Abs(average-c.average) > 0.01 || sufficient != c.sufficient {
			t.Errorf("%s: %.2f, %t", name, average, sufficient)
		}
	}
}

// TestAutoScaledOfEachMinute compares with a count of every minute.
func TestAutoScaledOfEachMinute(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		span := 1 + rng.IntN(80)
		load := map[int]float64{}
		for range rng.IntN(span) {
			load[rng.IntN(span)] = 1 + 20*rng.Float64()
		}
		want, enough, before := 0.0, true, 0.0
		for i := range span {
			most := 0.0
			for j := max(0, i-scaleInMinutes); j <= i; j++ {
				most = max(most, load[j])
			}
			enough = enough && (before == 0 || load[i] <= before)
			if before > 0 || load[i] > 0 {
				before = max(math.Ceil(most/targetUtilization), 1)
			}
			want += max(math.Ceil(most/targetUtilization), 1) / float64(span)
		}
		if average, sufficient := autoScaled(load, span); math.Abs(average-want) > 1e-9 || sufficient != enough {
			t.Fatalf("%v of %d minutes: %v %v, want %v %v", load, span, average, sufficient, want, enough)
		}
	}
}
