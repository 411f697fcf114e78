package fleet_test

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/backend"
	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/simulators/fleet"
	"github.com/tabletop-db/tabletop/simulators/telemetryapi/telemetrytest"
)

// dropConnections serves a handler and cuts the connection of every nth request after the handler has finished.
func dropConnections(h http.Handler, every int64) http.Handler {
	var n atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1)%every != 0 {
			h.ServeHTTP(w, r)
			return
		}
		h.ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	})
}

// The real backend on the emulator loses nothing and stores nothing twice, though connections break after a commit.
func TestRunAgainstTheBackend(t *testing.T) {
	t.Parallel()
	b, err := backend.New(backend.Config{AWS: emulator.Run(t).AWSConfig(), AdminToken: telemetrytest.AdminToken,
		Pepper: "pepper"})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.CreateTables(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(dropConnections(b, 50))
	t.Cleanup(s.Close)
	cfg := sixHourConfig(&telemetrytest.Backend{URL: s.URL})
	cfg.Start, cfg.RetryTimeout = time.Time{}, time.Minute
	res, err := fleet.Run(t.Context(), cfg)
	if err != nil || res.Err() != nil {
		t.Fatal(err, res.Err(), res.Faults)
	}
	if res.Made == 0 || res.Duplicate == 0 || res.ResponsesLost == 0 {
		t.Errorf("nothing was put to the test: %+v", res)
	}
}
