package dynamo

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
)

// TestMomentsOfHistorySurviveAKill advances the clock, reads a page of a table's state, and replaces the service
// without closing it, as if it were killed, by one whose clock begins at the earlier time: the next page is of the same
// state, without later items.
func TestMomentsOfHistorySurviveAKill(t *testing.T) {
	t.Parallel()
	state := openMemory(t)
	s := withOrders(t, state, 2)
	mustRun(t, s, "UpdateContinuousBackups",
		`{"TableName":"orders","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`)
	if err := s.engine.Clock.Advance(time.Hour); err != nil {
		t.Fatal(err)
	}
	var page struct{ At, Next string }
	status, body := tryHistory(s, "Items", `{"TableName":"orders","Limit":1}`)
	if err := json.Unmarshal(body, &page); err != nil || page.Next == "" {
		t.Fatalf("%d %s %v", status, body, err)
	}
	s = openService(t, state, clock.Manual(time.Unix(1_800_000_000, 0)))
	for i := range 20 {
		mustRun(t, s, "PutItem", fmt.Sprintf(`{"TableName":"orders","Item":{"id":{"S":"later-%d"}}}`, i))
	}
	status, body = tryHistory(s, "Items", fmt.Sprintf(`{"TableName":"orders","At":%q,"Start":%q}`, page.At, page.Next))
	if status != 200 || strings.Contains(string(body), "later") || !strings.Contains(string(body), `"id"`) {
		t.Errorf("the second page: %d %s", status, body)
	}
}
