package traffic

import (
	"testing"
	"time"
)

func TestHotDevices(t *testing.T) {
	t.Parallel()
	every := func(gap time.Duration, n int) []time.Duration {
		var at []time.Duration
		for i := range n {
			at = append(at, time.Duration(i)*gap)
		}
		return at
	}
	for name, test := range map[string]struct {
		writes []time.Duration
		rate   float64 // 0 if it is not hot
	}{
		"twice a second":             {every(500*time.Millisecond, 120), 2},
		"once a second":              {every(time.Second, 600), 0},
		"a buffer of 100 at once":    {every(time.Millisecond, 100), 0},
		"busy for its first minute":  {append(every(250*time.Millisecond, 240), every(10*time.Second, 30)...), 4.1},
		"once in five minutes":       {every(5*time.Minute, 3), 0},
		"a burst in half the minute": {every(100*time.Millisecond, 300), 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWrites(hotRule(10 * time.Minute))
			for _, at := range test.writes {
				w.add("02:00:00:00:00:01", at)
			}
			hot := w.hot()
			if test.rate == 0 && len(hot) == 0 {
				return
			}
			if len(hot) != 1 || hot[0].WritesPerSecond != test.rate || hot[0].HardwareID != "02:00:00:00:00:01" {
				t.Errorf("got %+v, want %v writes a second", hot, test.rate)
			}
		})
	}
}
