package dynamo

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/internal/testutil/schedule"
	"github.com/tabletop-db/tabletop/internal/testutil/seeds"
)

// TestEarlierStatesStayTheSameInAnyOrder reads moments page by page, in a random order that a seed determines, beside
// writers and the clock, which expires items and removes old changes. What a moment was never changes: a later look
// shows the same, and so do the versions of the items.
func TestEarlierStatesStayTheSameInAnyOrder(t *testing.T) {
	t.Parallel()
	shown := 0
	seeds.Run(t, 30, func(t *testing.T, seed uint64) {
		schedule.RunWith(t, seed, func(t *testing.T, yield func()) []schedule.Worker {
			w := newScheduledTable(t, seed, yield)
			workers := []schedule.Worker{w.moveClock}
			for n := range len(w.writers) {
				workers = append(workers, func(yield func()) { w.write(t, n, yield) })
			}
			for range 3 {
				l := &looker{scheduledTable: w, seen: map[string]map[string]string{}}
				t.Cleanup(func() { shown += l.compared })
				workers = append(workers, func(yield func()) { l.lookOften(t, yield) })
			}
			return workers
		})
	})
	if shown == 0 {
		t.Error("no moment with items was compared")
	}
}

// looker looks at moments of a table more than once.
type looker struct {
	*scheduledTable
	moments  []string
	seen     map[string]map[string]string // by moment, items by id
	compared int                          // items
}

func (l *looker) lookOften(t *testing.T, yield func()) {
	for range 10 {
		var span struct{ Latest string }
		if !l.look(t, "Span", `{"TableName":"counts"}`, &span) { // the clock moved by days meanwhile
			continue
		}
		l.moments = append(l.moments, span.Latest)
		yield()
		for range 3 {
			l.compare(t, l.moments[l.random.IntN(len(l.moments))], yield)
		}
	}
}

// look reads an operation's response, and reports whether it succeeded. It may fail only because the moment is too old.
func (l *looker) look(t *testing.T, operation, request string, answer any) bool {
	status, body := tryHistory(l.Service, operation, request)
	if status != http.StatusOK {
		if !strings.Contains(string(body), "must be from") && !strings.Contains(string(body), "not stored any more") &&
			!strings.Contains(string(body), "not complete yet") {
			t.Errorf("%s %s: %s", operation, request, body)
		}
		return false
	}
	l.read(t, string(body), answer)
	return true
}

// compare reads a moment, and compares it with the previous look at it.
func (l *looker) compare(t *testing.T, at string, yield func()) {
	items, start := map[string]string{}, ""
	for more := true; more; more = start != "" {
		var page struct {
			Items []json.RawMessage
			Next  string
		}
		if !l.look(t, "Items", fmt.Sprintf(`{"TableName":"counts","At":%q,"Limit":1,"Start":%q}`, at, start), &page) {
			return
		}
		for _, it := range page.Items {
			var one countedItem
			l.read(t, string(it), &one)
			items[one.ID.S] = string(it)
		}
		start = page.Next
		yield()
	}
	if before, again := l.seen[at]; again && fmt.Sprint(before) != fmt.Sprint(items) {
		t.Errorf("at %s were %v, now %v", at, before, items)
	}
	l.seen[at] = items
	l.compared += len(items)
	l.checkVersion(t, at, items)
}

// checkVersion compares an item with its last version up to the moment, unless the version was removed.
func (l *looker) checkVersion(t *testing.T, at string, items map[string]string) {
	var page struct{ Versions []writtenChange }
	id := fmt.Sprint(l.random.IntN(len(l.writers)))
	if !l.look(t, "Versions", fmt.Sprintf(`{"TableName":"counts","Key":{"id":{"S":%q}},"Limit":1000}`, id), &page) {
		return
	}
	for _, v := range page.Versions {
		if l.time(t, v.At).After(l.time(t, at)) {
			continue
		}
		if now := string(v.After); now != items[id] && (now != "null" || items[id] != "") {
			t.Errorf("at %s item %s was %q, but its version of %s is %s", at, id, items[id], v.At, now)
		}
		return
	}
}

func (l *looker) time(t *testing.T, text string) time.Time {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Error(err)
	}
	return at
}
