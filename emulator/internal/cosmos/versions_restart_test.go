package cosmos

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
)

// TestContinuationOfAllVersionsSurvivesARestart advances the clock, polls the feed of all versions, and restarts the
// service, which sets the clock back: the feed continues, and misses no later change. A service that was killed had no
// time to store anything at its end.
func TestContinuationOfAllVersionsSurvivesARestart(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*Service) error{"closed": (*Service).Close,
		"killed": func(*Service) error { return nil }} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			continueAllVersions(t, end)
		})
	}
}

func continueAllVersions(t *testing.T, end func(*Service) error) {
	d := newTestService(t)
	d.send(t, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
	d.send(t, http.MethodPost, "/dbs/db/colls\n"+
		`{"id":"c","partitionKey":{"paths":["/pk"]},"changeFeedPolicy":{"retentionDuration":60}}`)
	const feed = "/dbs/db/colls/c/docs\na-im: Full-Fidelity Feed\nif-none-match: "
	d.advance(t, 24*time.Hour)
	now := d.send(t, http.MethodGet, feed+"*").Header().Get("Etag")
	d.advance(t, time.Minute)
	etag := d.send(t, http.MethodGet, feed+now).Header().Get("Etag")
	if err := end(d.Service); err != nil {
		t.Fatal(err)
	}
	manual := clock.Manual(start)
	again, err := New(Config{Store: d.store, Clock: manual, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	d = &testService{Service: again, clock: manual, store: d.store}
	if w := d.send(t, http.MethodGet, feed+etag); w.Code != http.StatusNotModified || w.Header().Get("Etag") != etag {
		t.Fatalf("after the restart: %d %s %s, not %s", w.Code, w.Body, w.Header().Get("Etag"), etag)
	}
	d.send(t, http.MethodPost, "/dbs/db/colls/c/docs\npk: [\"a\"]\n"+`{"id":"later","pk":"a"}`)
	if w := d.send(t, http.MethodGet, feed+etag); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "later") {
		t.Errorf("after a change: %d %s", w.Code, w.Body)
	}
}
