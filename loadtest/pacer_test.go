package loadtest

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// play sends without any delay of its own, and returns when each request went out.
func play(p Pacer) []time.Duration {
	var sent []time.Duration
	for now := time.Duration(0); ; {
		wait, stop := p.Pace(now, uint64(len(sent)))
		if stop {
			return sent
		}
		now += wait
		sent = append(sent, now)
	}
}

func TestPacerPlaysStages(t *testing.T) {
	t.Parallel()
	p := Pacer{{Rate: 2, Duration: Duration(2 * time.Second)}, {Rate: 10, Duration: Duration(time.Second)}}
	sent := play(p)
	if len(sent) != 14 || sent[0] != 0 || sent[3] != 1500*time.Millisecond || sent[4] != 2*time.Second || sent[13] != 2900*time.Millisecond {
		t.Errorf("sent at %v", sent)
	}
	if p.Rate(time.Second) != 2 || p.Rate(2*time.Second) != 10 || p.Rate(3*time.Second) != 0 {
		t.Error("the planned rate is not that of the stage")
	}
}

// A request that was late is made up for at once.
func TestPacerCatchesUp(t *testing.T) {
	t.Parallel()
	p := Pacer{{Rate: 10, Duration: Duration(10 * time.Second)}}
	if wait, stop := p.Pace(5*time.Second, 3); wait != 0 || stop {
		t.Errorf("waits %v", wait)
	}
	if wait, _ := p.Pace(5*time.Second, 55); wait != 500*time.Millisecond {
		t.Errorf("waits %v", wait)
	}
}

func TestPacerKeepsItsPlan(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var p Profile
		for range rapid.IntRange(1, 4).Draw(t, "stages") {
			p.Stages = append(p.Stages, Stage{
				Rate:     rapid.Float64Range(0.1, 200).Draw(t, "rate"),
				Duration: Duration(rapid.IntRange(1, 5000).Draw(t, "ms")) * Duration(time.Millisecond),
			})
		}
		sent := play(Pacer(p.Stages))
		if len(sent) != p.Requests() {
			t.Fatalf("%d sent, %d planned", len(sent), p.Requests())
		}
		for i, at := range sent {
			if i > 0 && at < sent[i-1] || at > p.Duration() {
				t.Fatalf("request %d of %d goes out at %v of %v", i, len(sent), at, p.Duration())
			}
		}
	})
}

func TestMixKeepsItsShares(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var parts []Part
		sum := 0
		for _, w := range rapid.SliceOfN(rapid.IntRange(1, 50), 1, 6).Draw(t, "weights") {
			parts = append(parts, Part{Weight: w})
			sum += w
		}
		m := newMix(parts)
		got := make([]int, len(parts))
		for n := 1; n <= 2*sum; n++ {
			got[m.next()]++
			for i, p := range parts {
				// At no moment is a part further from its share than the number of parts.
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

func TestQuick(t *testing.T) {
	t.Parallel()
	at := 100.0
	p := Profile{
		System:     "telemetry",
		Stages:     []Stage{{Rate: 10, Duration: Duration(10 * time.Second)}, {Rate: 100, Duration: Duration(30 * time.Second)}},
		Population: Population{"devices": 1000, "readings": 5}, Mix: []Part{{Only: 200}},
		Limits: []Limit{{Metric: "readings_per_second", AtLeast: &at}, {Metric: "p99_ms", AtMost: &at}},
	}
	q := p.Quick(4*time.Second, 0.1)
	if q.Duration() != 4*time.Second || q.Stages[1].Rate != 10 || q.Population["devices"] != 200 || q.Population["readings"] != 5 || *q.Limits[0].AtLeast != 10 || *q.Limits[1].AtMost != 100 {
		t.Errorf("shortened to %+v", q)
	}
	if p.Stages[1].Rate != 100 || *p.Limits[0].AtLeast != 100 || p.Duration() != 40*time.Second {
		t.Error("the profile itself was changed")
	}
	p.Unscaled = "it is about one device"
	if q := p.Quick(0, 0.1); q.Stages[1].Rate != 100 || q.Population["devices"] != 1000 {
		t.Errorf("scaled to %+v", q)
	}
}
