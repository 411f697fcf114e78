package cosmos

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
)

// TestMomentsOfHistorySurviveAKill advances the clock, reads a page of a container's state, and replaces the service
// without closing it, as if it were killed, by one whose clock begins at the earlier time: the next page is of the same
// state, without later items.
func TestMomentsOfHistorySurviveAKill(t *testing.T) {
	t.Parallel()
	d := newTestService(t, func(c *Config) { c.ContinuousBackup = 24 * time.Hour })
	d.mustSend(t, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
	d.mustSend(t, http.MethodPost, "/dbs/db/colls\n"+`{"id":"c","partitionKey":{"paths":["/pk"],"version":2}}`)
	d.putLong(t, "1", "a")
	d.putLong(t, "2", "a")
	d.advance(t, time.Hour)
	items := func(more string) string {
		w := httptest.NewRecorder()
		d.History().ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/Items", strings.NewReader(
			`{"Database":"db","Container":"c"`+more+"}")))
		return w.Body.String()
	}
	var page struct{ At, Next string }
	if body := items(`,"Limit":1`); json.Unmarshal([]byte(body), &page) != nil || page.Next == "" {
		t.Fatal(body)
	}
	manual := clock.Manual(start)
	again, err := New(Config{Store: d.store, Clock: manual, Seed: 2, ContinuousBackup: 24 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	d = &testService{Service: again, clock: manual, store: d.store}
	d.putLong(t, "3", "a")
	if body := items(fmt.Sprintf(`,"At":%q,"Start":%q`, page.At, page.Next)); !strings.Contains(body, `"id":"2"`) ||
		strings.Contains(body, `"id":"3"`) {
		t.Errorf("the second page: %s", body)
	}
}
