package cosmos

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/schedule"
	"github.com/tabletop-db/tabletop/internal/testutil/seeds"
)

// TestFeedsExpiryAndScriptsInAnyOrder runs concurrent writers, stored procedures that write or fail, readers, readers
// of both change feeds, and the clock, which expires items and trims versions. A seed determines their order, and they
// switch around every view and commit of the store. The feed of all versions must show each version of an item once and
// in order, unless its reader gets the error that versions were trimmed. The incremental feed must never go back, and
// must end with the final state. No item may be read after it expired. The writes of a procedure must be visible either
// completely or not at all.
func TestFeedsExpiryAndScriptsInAnyOrder(t *testing.T) {
	t.Parallel()
	// makes the shared script engine, outside of any bubble
	procedures(t, map[string]string{"add": addToCounter}).execute(t, "add", "")
	var total scheduledCounts
	seeds.Run(t, 20, func(t *testing.T, seed uint64) {
		schedule.RunWith(t, seed, func(t *testing.T, yield func()) []schedule.Worker {
			w := newScheduledContainer(t, seed, yield)
			t.Cleanup(func() { w.checkAtEnd(t); total.add(w.scheduledCounts) })
			workers := []schedule.Worker{w.moveClock}
			for n := range len(w.writers) {
				workers = append(workers, func(yield func()) { w.write(t, n, yield) })
			}
			for range 2 {
				workers = append(workers, func(yield func()) {
					w.runScripts(t, yield)
				}, func(yield func()) { w.readOften(t, yield) })
			}
			for _, f := range w.followers {
				workers = append(workers, func(yield func()) { f.followOften(t, yield) })
			}
			return workers
		})
	})
	if total.versions == 0 || total.expired == 0 || total.committed == 0 || total.refused == 0 {
		t.Errorf("it proves little: %+v", total)
	}
}

// scheduledCounts are the events that the seeds covered.
type scheduledCounts struct{ versions, expired, committed, refused int }

func (c *scheduledCounts) add(o scheduledCounts) {
	c.versions, c.expired, c.committed, c.refused = c.versions+o.versions, c.expired+o.expired, c.committed+o.committed,
		c.refused+o.refused
}

// scheduledContainer is the state that the workers share. Only one worker runs at a time.
type scheduledContainer struct {
	*testService
	scheduledCounts
	random    *rand.Rand
	writers   [2]scheduledVersions // each writes one item in a partition of its own
	scripts   map[int]bool         // the numbers that procedures were to write; false: must not be visible
	followers []*scheduledFollower
}

// scheduledVersions are the versions of one writer's item.
type scheduledVersions struct {
	last     int  // the last version whose write began
	answered int  // the last version whose write was answered
	mayEnd   bool // one of the versions since then expires
}

// scheduledItem is an item in a response.
type scheduledItem struct {
	seen
	TTL int64 `json:"ttl"`
	TS  int64 `json:"_ts"`
}

// writePair writes two items with the same number, or fails after writing them.
const writePair = `function(n) {
	const put = (id, then) => __.upsertDocument(__.getSelfLink(), {id: id, pk: 'a', n: n}, then);
	put('left', () => put('right', () => { if (n % 3 === 0) throw new Error('no'); }));
}`

func newScheduledContainer(t *testing.T, seed uint64, yield func()) *scheduledContainer {
	state, err := store.Open(store.Options{Pause: yield})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := state.Close(); err != nil {
			t.Error(err)
		}
	})
	w := &scheduledContainer{testService: &testService{clock: clock.Manual(start), store: state},
		random:  rand.New(rand.NewPCG(seed, 1)),
		scripts: map[int]bool{}}
	if w.Service, err = New(Config{Store: state, Clock: w.clock, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	procedure, err := json.Marshal(map[string]string{"id": "pair", "body": writePair})
	if err != nil {
		t.Fatal(err)
	}
	w.mustSend(t, http.MethodPost, "/dbs\n"+`{"id":"db"}`)
	w.mustSend(t, http.MethodPost, "/dbs/db/colls\n"+
		`{"id":"c","partitionKey":{"paths":["/pk"]},"defaultTtl":-1,"changeFeedPolicy":{"retentionDuration":60}}`)
	w.mustSend(t, http.MethodPost, "/dbs/db/colls/c/sprocs\n"+string(procedure))
	// The first write reserves numbers for all others, while it holds a mutex.
	w.mustSend(t, http.MethodPost, "/dbs/db/colls/c/docs\npk: [\"0\"]\n"+`{"id":"first","pk":"0"}`)
	w.mustSend(t, http.MethodDelete, "/dbs/db/colls/c/docs/first\npk: [\"0\"]")
	for _, mode := range []string{"Incremental Feed", "Incremental Feed", "Full-Fidelity Feed", "Full-Fidelity Feed"} {
		w.followers = append(w.followers, &scheduledFollower{scheduledContainer: w, mode: mode, shown: map[string]int{}})
	}
	for _, f := range w.followers[2:] {
		f.restart(t)
		f.whole = true
	}
	return w
}

func (w *scheduledContainer) moveClock(yield func()) {
	steps := []time.Duration{300 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second, 20 * time.Second,
		61 * time.Minute}
	for range 16 {
		if err := w.clock.Advance(steps[w.random.IntN(len(steps))]); err != nil {
			panic(err)
		}
		yield()
	}
}

func (w *scheduledContainer) write(t *testing.T, writer int, yield func()) {
	v := &w.writers[writer]
	for range 8 {
		more := ""
		v.last++
		if w.random.IntN(3) > 0 {
			more, v.mayEnd = fmt.Sprintf(`,"ttl":%d`, 1+w.random.IntN(8)), true
		}
		w.mustSend(t, http.MethodPost, fmt.Sprintf("/dbs/db/colls/c/docs\npk: [\"%d\"]\nx-ms-documentdb-is-upsert: true\n"+
			`{"id":"i","pk":"%d","n":%d%s}`, writer, writer, v.last, more))
		v.answered, v.mayEnd = v.last, more != ""
		yield()
	}
}

func (w *scheduledContainer) runScripts(t *testing.T, yield func()) {
	for range 5 {
		n := len(w.scripts) + 1
		w.scripts[n] = n%3 != 0
		status, body := w.execute(t, "pair", fmt.Sprintf("[%d]", n))
		switch {
		case status == http.StatusOK && n%3 != 0:
			w.committed++
		case status == wire.StatusRetryWith || status == http.StatusBadRequest && n%3 == 0:
			w.scripts[n] = false
			w.refused++
		default:
			t.Errorf("the procedure of %d: %d %s", n, status, body)
		}
		yield()
	}
}

// readOften reads a writer's item, or all items in the partition of the procedures.
func (w *scheduledContainer) readOften(t *testing.T, yield func()) {
	for range 12 {
		if w.random.IntN(2) == 0 {
			w.readItem(t, w.random.IntN(len(w.writers)))
		} else {
			w.checkPair(t, w.list(t, "/dbs/db/colls/c/docs\npk: [\"a\"]"))
		}
		yield()
	}
}

// readItem reads an item: it must be the last version answered before the read, a newer one, or missing if that version
// expires.
func (w *scheduledContainer) readItem(t *testing.T, writer int) {
	v, before := w.writers[writer], w.clock.Now().Unix()
	r := w.send(t, http.MethodGet, fmt.Sprintf("/dbs/db/colls/c/docs/i\npk: [\"%d\"]", writer))
	if r.Code == http.StatusNotFound && (v.answered == 0 || v.mayEnd || w.writers[writer].mayEnd) {
		return
	}
	var got scheduledItem
	if err := json.Unmarshal(r.Body.Bytes(), &got); err != nil || r.Code != http.StatusOK || got.N < v.answered {
		t.Errorf("item %d, of which version %d is there: %d %s", writer, v.answered, r.Code, r.Body)
	}
	w.checkAlive(t, "a read", got, before)
}

// checkAlive checks that an item read at a time, in Unix seconds, had not expired.
func (w *scheduledContainer) checkAlive(t *testing.T, what string, one scheduledItem, at int64) {
	if one.TTL > 0 && one.TS+one.TTL <= at {
		t.Errorf("%s at %d shows version %d of item %s, which expired at %d", what, at, one.N, one.Writer, one.TS+one.TTL)
	}
}

// checkPair checks that the writes of a procedure are visible completely, and those of a failed one not at all.
func (w *scheduledContainer) checkPair(t *testing.T, items []scheduledItem) {
	for _, one := range items {
		if one.N != items[0].N || len(items) != 2 || !w.scripts[one.N] {
			t.Errorf("the procedures have written %+v", items)
			return
		}
	}
}

// list sends a request for items and returns them.
func (w *scheduledContainer) list(t *testing.T, request string) []scheduledItem {
	before := w.clock.Now().Unix()
	r := w.send(t, http.MethodGet, request)
	var page struct{ Documents []scheduledItem }
	if err := json.Unmarshal(r.Body.Bytes(), &page); err != nil || r.Code != http.StatusOK {
		t.Errorf("%d %s", r.Code, r.Body)
	}
	for _, one := range page.Documents {
		w.checkAlive(t, "a list", one, before)
	}
	return page.Documents
}

// scheduledFollower reads a change feed.
type scheduledFollower struct {
	*scheduledContainer
	mode, at string
	whole    bool           // it has missed nothing of the feed of all versions
	shown    map[string]int // the last number shown of each item; negative after a delete
}

// scheduledChange is an item of the incremental feed, or a version.
type scheduledChange struct {
	Current  scheduledItem
	Metadata struct {
		OperationType     string
		LSN               uint64
		TimeToLiveExpired bool
		ID                string
		PartitionKey      struct{ PK string }
	}
}

func (f *scheduledFollower) followOften(t *testing.T, yield func()) {
	for range 16 {
		f.page(t)
		yield()
	}
}

// restart starts again from now.
func (f *scheduledFollower) restart(t *testing.T) {
	f.at, f.whole = "*", false
	clear(f.shown)
	f.page(t)
}

// page reads a page. It returns false if there is nothing new.
func (f *scheduledFollower) page(t *testing.T) bool {
	header := http.Header{"A-Im": {f.mode}, "X-Ms-Max-Item-Count": {fmt.Sprint(1 + f.random.IntN(3))},
		"X-Ms-Cosmos-Changefeed-Wire-Format-Version": {"2021-09-15"}}
	if f.at != "" {
		header["If-None-Match"] = []string{f.at}
	}
	before := f.clock.Now().Unix()
	r := f.do(t, http.MethodGet, "/dbs/db/colls/c/docs", header, nil)
	if r.Code == http.StatusBadRequest && strings.Contains(r.Body.String(), "the retention of the container's versions") {
		f.restart(t)
		return true
	}
	f.at = r.Header().Get("Etag")
	if r.Code == http.StatusNotModified {
		return false
	}
	var page struct{ Documents []scheduledChange }
	if err := json.Unmarshal(r.Body.Bytes(), &page); err != nil || r.Code != http.StatusOK {
		t.Errorf("%s: %d %s: %v", f.mode, r.Code, r.Body, err)
		return false
	}
	pairs := map[uint64][]scheduledItem{}
	for _, one := range page.Documents {
		if f.mode == "Incremental Feed" {
			f.checkAlive(t, f.mode, one.Current, before)
			f.checkLatest(t, one.Current)
			continue
		}
		f.checkVersion(t, one)
		if one.Current.Writer == "a" {
			pairs[one.Metadata.LSN] = append(pairs[one.Metadata.LSN], one.Current)
		}
	}
	for _, pair := range pairs {
		f.checkPair(t, pair)
	}
	return true
}

func (f *scheduledFollower) checkLatest(t *testing.T, one scheduledItem) {
	name := one.Writer + "/" + one.ID
	if one.Writer != "a" && one.N < f.shown[name] || one.Writer == "a" && !f.scripts[one.N] {
		t.Errorf("the incremental feed shows version %d of %s after %d", one.N, name, f.shown[name])
	}
	f.shown[name] = one.N
}

// checkVersion checks a version against the previous one of the item, if that is known.
func (f *scheduledFollower) checkVersion(t *testing.T, one scheduledChange) {
	f.versions++
	pk, id := one.Current.Writer, one.Current.ID
	gone := one.Metadata.OperationType == "delete"
	if gone {
		pk, id = one.Metadata.PartitionKey.PK, one.Metadata.ID
		f.expired++
	}
	name := pk + "/" + id
	last, known := f.shown[name]
	there, now := last > 0, one.Current.N
	kind := map[bool]string{false: "create", true: "replace"}[there]
	switch {
	case !known && !f.whole: // the item is older than the reader's start
	case gone && (!there || !one.Metadata.TimeToLiveExpired), !gone && one.Metadata.OperationType != kind,
		!gone && pk != "a" && now != max(last, -last)+1:
		t.Errorf("the feed of all versions shows %+v of %s after version %d", one, name, last)
	}
	if f.shown[name] = now; gone {
		f.shown[name] = -last
	}
	if gone && !known {
		delete(f.shown, name)
	}
}

// checkAtEnd reads the feeds to their ends and lets all items expire.
func (w *scheduledContainer) checkAtEnd(t *testing.T) {
	for _, f := range w.followers {
		for range 200 {
			if !f.page(t) {
				break
			}
		}
		for _, one := range w.list(t, "/dbs/db/colls/c/docs\n") {
			if n, known := f.shown[one.Writer+"/"+one.ID]; n != one.N && (known || f.whole || f.mode == "Incremental Feed") {
				t.Errorf("%s: version %d of %s is there, and the feed ends with version %d", f.mode, one.N, one.Writer, n)
			}
		}
	}
	if err := w.clock.Advance(time.Minute); err != nil {
		t.Error(err)
	}
	left, all := 0, w.list(t, "/dbs/db/colls/c/docs\n")
	for writer, v := range w.writers {
		if !v.mayEnd {
			left++
			w.readItem(t, writer)
		}
	}
	if w.committed > 0 {
		left += 2
	}
	if stored := int(w.Catalog.Container("db", "c").Items()); len(all) != left || stored != left {
		t.Errorf("%d items are there and %d stored, want %d", len(all), stored, left)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}
