package profile

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// dueTimes sends requests without any delay of its own, and returns when each was sent.
func dueTimes(p Pacer) []time.Duration {
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

func TestPacerFollowsStages(t *testing.T) {
	t.Parallel()
	p := Pacer{{Rate: 2, Duration: Duration(2 * time.Second)}, {Rate: 10, Duration: Duration(time.Second)}}
	sent := dueTimes(p)
	if len(sent) != 14 || sent[0] != 0 || sent[3] != 1500*time.Millisecond || sent[4] != 2*time.Second ||
		sent[13] != 2900*time.Millisecond {
		t.Errorf("sent at %v", sent)
	}
	if p.Rate(time.Second) != 2 || p.Rate(2*time.Second) != 10 || p.Rate(3*time.Second) != 0 {
		t.Error("the planned rate is not that of the stage")
	}
}

// TestPacerCatchesUp checks that the pacer catches up at once after a late request.
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

func TestPacerSendsAllRequests(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var p Profile
		for range rapid.IntRange(1, 4).Draw(t, "stages") {
			p.Stages = append(p.Stages, Stage{
				Rate:     rapid.Float64Range(0.1, 200).Draw(t, "rate"),
				Duration: Duration(rapid.IntRange(1, 5000).Draw(t, "ms")) * Duration(time.Millisecond),
			})
		}
		sent := dueTimes(Pacer(p.Stages))
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
