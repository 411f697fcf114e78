package backend

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// TestWorkersContinueAfterErrors checks that a worker continues at once while there is more, reports a lasting failure
// once, and ends with its server.
func TestWorkersContinueAfterErrors(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	broken := errors.New("the database is away")
	rounds := []error{nil, broken, broken, broken, nil, broken}
	n := 0
	w := &worker{"something", "hour", time.Hour, func(context.Context) (bool, error) {
		n++
		if n == len(rounds) {
			stop()
		}
		return true, rounds[n-1]
	}}
	var log bytes.Buffer
	w.run(ctx, slog.New(slog.NewTextHandler(&log, nil)))
	if n != len(rounds) || strings.Count(log.String(), "the database is away") != 1 {
		t.Errorf("%d rounds\n%s", n, &log)
	}
}

// TestNoWorkersWithoutRunWorkers checks that a server runs no workers without Config.RunWorkers.
func TestNoWorkersWithoutRunWorkers(t *testing.T) {
	t.Parallel()
	for asked, want := range map[bool]string{false: "",
		true: "kefir reminders every minute, verification case expiry every hour"} {
		cfg := offline()
		cfg.PushURL, cfg.RunWorkers = "http://127.0.0.1:1", asked
		server, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(server.Workers(), ", "); got != want {
			t.Errorf("work %t: %q, want %q", asked, got, want)
		}
	}
}
