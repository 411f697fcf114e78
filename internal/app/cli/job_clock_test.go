package cli

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"
)

// TestJobsFollowTheClock checks that the jobs that run until Ctrl-C follow the clock of the emulator when it is moved.
func TestJobsFollowTheClock(t *testing.T) {
	t.Parallel()
	s := start(t, "emulator", "--dynamodb-addr", "127.0.0.1:0", "--quiet", "--clock-start", "2030-01-01T00:00:00Z")
	url := s.await(t, `http://127\.0\.0\.1:[0-9]+`)
	runCommand(t.Context(), nil, "tables", "create", "kefir", "--target", "url="+url)
	r := start(t, "job", "reminders", "--every", "1s", "--push-url", "http://127.0.0.1:1", "--target", "url="+url)
	r.await(t, "2030-01-01T.* 0 due")
	runCommand(t.Context(), nil, "clock", "advance", "48h", "--endpoint", url)
	r.await(t, "2030-01-03T.* 0 due")
	if got := r.stop(t); got.status != 0 || got.stderr != "" {
		t.Errorf("%+v", got)
	}
}

// TestJobClock checks that a clock that is read again follows one that was moved, continues while the emulator does not
// respond, and advances while the emulator's is stopped.
func TestJobClock(t *testing.T) {
	t.Parallel()
	var shown atomic.Value
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(shown.Load().(string)))
	}))
	defer s.Close()
	start := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	shown.Store(`{"now":"2030-01-01T00:00:00Z","speed":1}`)
	c, err := emulatorClock(t.Context(), s.URL)
	if err != nil {
		t.Fatal(err)
	}
	last := start
	for _, step := range []struct {
		shown string
		want  time.Time // at the earliest; zero: after the previous time
	}{
		{`{"now":"2030-01-03T00:00:00Z","speed":1}`, start.Add(48 * time.Hour)},
		{`{"now":"2030-01-02T00:00:00Z","speed":1}`, start.Add(24 * time.Hour)},
		{`no clock`, time.Time{}},
		{`{"now":"2030-01-05T00:00:00Z","frozen":true}`, start.Add(96 * time.Hour)},
		{`{"now":"2030-01-04T00:00:00Z","frozen":true}`, start.Add(72 * time.Hour)},
	} {
		shown.Store(step.shown)
		c.follow(t.Context())
		got, from := c.now(), step.want
		if from.IsZero() {
			from = last
		}
		if got.Before(from) || got.Sub(from) > 12*time.Hour {
			t.Errorf("%s: %v, want %v or a moment later", step.shown, got, from)
		}
		last = got
	}
	stopped := c.readAt
	if c.follow(t.Context()); !c.readAt.Equal(stopped) {
		t.Error("a stopped clock that was not moved is set back")
	}
}
