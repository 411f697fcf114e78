package scrape

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/metrics"
)

// TestInvalidUTF8AccessKeysDoNotBreakTheScrape scrapes two accounts with the same label.
func TestInvalidUTF8AccessKeysDoNotBreakTheScrape(t *testing.T) {
	t.Parallel()
	c := clock.Manual(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
	r := metrics.New(c)
	for _, account := range []string{"\xff/us-east-1", "\xfe/us-east-1", "desk/us-east-1"} {
		r.Series(metrics.NewID(account, metrics.Namespace, "UserErrors"), "Count").Observe(c.Now().Unix(), 1)
	}
	w := httptest.NewRecorder()
	Handler(r.Collector()).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(),
		`aws_dynamodb_user_errors_total{account="desk/us-east-1"} 1`) {
		t.Errorf("it is answered %d %.300s", w.Code, w.Body)
	}
}
