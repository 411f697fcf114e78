package notification

import (
	"strconv"
	"strings"
	"testing"
)

// TestEachPatternIsMetered checks that the statistics contain the cost of each pattern of the document, which the load
// profiles compare with the document's figures.
func TestEachPatternIsMetered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.disableQuietHours()
	w.register("phone")
	w.enqueue(with(likeEvent("ana", "p1"), "dedupeKey", "k"))
	w.enqueue(likeEvent("ana", "p2"))
	w.work()
	ids := w.createNotifications(News, 25)
	w.want(200, w.ana("GET", "/notifications", nil))
	w.want(200, w.ana("GET", "/notifications/unread", nil))
	w.want(200, w.ana("POST", "/notifications/"+string(ids[0])+"/read", nil))
	w.want(200, w.ana("GET", "/preferences", nil))
	w.want(200, w.ana("GET", "/devices", nil))
	w.want(200, w.ana("PUT", "/devices/phone", object{"pushToken": "t"}))
	costs := w.service.Stats().Costs
	for _, pattern := range []string{
		patternEnqueue, patternProcess, patternFind, patternList, patternUnread, patternMark, patternPreferences, patternSet,
		patternRegister, patternRefresh, patternDevices,
	} {
		c := costs[pattern]
		if c.Calls == 0 || c.RU < float64(c.Calls) {
			t.Errorf("%s: %+v", pattern, c)
		}
		if _, decimals, _ := strings.Cut(strconv.FormatFloat(c.RU, 'f', -1, 64), "."); len(decimals) > 2 {
			t.Errorf("%s: %v is no sum of hundredths", pattern, c.RU)
		}
		t.Logf("%-16s %.2f RU", pattern, c.RU/float64(c.Calls))
	}
	if charged := costs[patternPreferences]; charged.RU != 1 {
		t.Errorf("a point read of preferences: %+v", charged)
	}
}
