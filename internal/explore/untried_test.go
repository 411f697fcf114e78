package explore

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

// TestASearchThatTriesNothingFails has bounds that the runs without mishaps use up, and a program whose requests
// are never the ones that a plan disturbs.
func TestASearchThatTriesNothingFails(t *testing.T) {
	t.Parallel()
	same := func(int64) string { return "orders" }
	for name, c := range map[string]struct {
		table    func(run int64) string
		settings Settings
		want     error
	}{
		"runs":     {same, Settings{Runs: 2}, ErrNothingTried},
		"time":     {same, Settings{For: time.Nanosecond}, ErrNothingTried},
		"requests": {func(run int64) string { return fmt.Sprint("orders-", run) }, Settings{Runs: 20}, ErrNothingHappened},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program := &simulated{fails: breaks(Plan{lost("none", "none", 1)})}
			program.requests = func(Plan) []Request { return []Request{write("PutItem", c.table(program.runs.Load()))} }
			if r, err := Search(t.Context(), program, c.settings); r != nil || !errors.Is(err, c.want) {
				t.Errorf("result %v, error %v, want only %v", r, err, c.want)
			}
		})
	}
}

// TestKindsThatCannotHappenAreNamed has a program that reads no stream, and one that sends no request at all.
func TestKindsThatCannotHappenAreNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		requests []Request
		want     error
	}{
		{[]Request{write("PutItem", "orders")}, ErrNoSuchMishaps},
		{nil, ErrNoRequests},
	} {
		program := &simulated{requests: always(c.requests...), fails: breaks(Plan{lost("none", "none", 1)})}
		if _, err := Search(t.Context(), program, Settings{Kinds: []Kind{Redelivered}}); !errors.Is(err, c.want) {
			t.Errorf("%d requests: error %v, want %v", len(c.requests), err, c.want)
		}
	}
}
