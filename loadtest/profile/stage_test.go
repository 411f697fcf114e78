package profile

import (
	"math"
	"strings"
	"testing"
	"time"
)

// TestRampsAndSines checks that a ramp and a sine send as many requests as their rates add up to, each when it is due.
func TestRampsAndSines(t *testing.T) {
	t.Parallel()
	second := Duration(time.Second)
	for name, test := range map[string]struct {
		stage    Stage
		requests float64
		half     time.Duration // when half of the requests are due
	}{
		"constant": {Stage{Rate: 10, Duration: 10 * second}, 100, 5 * time.Second},
		"up":       {Stage{Rate: 10, To: 30, Duration: 10 * second}, 200, 6180 * time.Millisecond},
		"down":     {Stage{Rate: 30, To: 10, Duration: 10 * second}, 200, 3820 * time.Millisecond},
		"sine":     {Stage{Rate: 20, Swing: 15, Period: 10 * second, Duration: 10 * second}, 200, 3259 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := test.stage.Requests(); math.Abs(got-test.requests) > 1e-6 {
				t.Errorf("%v requests", got)
			}
			p := Pacer{test.stage}
			last := time.Duration(-1)
			for i := range uint64(test.requests) {
				due, stage := p.Due(i)
				if due <= last || stage != 0 || math.Abs(test.stage.planned(due)-float64(i)) > 0.001 {
					t.Fatalf("request %d of stage %d is due at %v, after %v", i, stage, due, last)
				}
				last = due
			}
			if due, _ := p.Due(uint64(test.requests / 2)); (due - test.half).Abs() > 20*time.Millisecond {
				t.Errorf("half of them are due at %v", due)
			}
			if _, stage := p.Due(uint64(test.requests)); stage != 1 {
				t.Error("more requests than planned")
			}
		})
	}
}

func TestStagesAreChecked(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]Stage{
		"a sine needs both":          {Rate: 5, Swing: 2, Duration: 1},
		"must be less than the rate": {Rate: 5, To: 2, Swing: 3, Period: 1, Duration: 1},
		"more than 0":                {Rate: 5, To: -1, Duration: 1},
	} {
		if err := s.validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	wave := Stage{Rate: 10, To: 20, Swing: 5, Period: 10, Duration: Duration(time.Minute)}
	if s := wave.shortened(0.5).scaled(0.1); s.Rate != 1 || s.To != 2 || s.Swing != 0.5 || s.Period != 5 ||
		time.Duration(s.Duration) != 30*time.Second {
		t.Errorf("%+v", s)
	}
}
