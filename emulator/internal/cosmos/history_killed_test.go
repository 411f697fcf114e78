package cosmos

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// killedItems is the number of items of the container that killedRestore restores.
const killedItems = 6

// killedRestore restores or clones the container c to the container again. The process is killed before and after each
// transaction of the restore, and after its response: what is on the disk then is kept.
type killedRestore struct {
	t         *testing.T
	operation string // Restore or Clone
	options   store.Options
	disk      *vfs.MemFS
	store     *store.Store
	service   *Service
	looking   bool // Pause does nothing: there is no restore, or it was called by look
	partial   bool // the restore was seen with some of its items
	left      []*vfs.MemFS
}

// TestAKilledRestoreLeavesNothing looks at a restore and at a clone at each of its moments, and starts a process on
// what one that was killed at that moment would leave: the container and its throughput do not exist, or it has all
// items.
func TestAKilledRestoreLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, operation := range []string{"Restore", "Clone"} {
		killAndCheck(t, operation)
	}
}

func killAndCheck(t *testing.T, operation string) {
	h := &killedRestore{t: t, operation: operation, disk: vfs.NewCrashableMem(), looking: true}
	h.options = store.Options{Dir: "/db", RootKey: filepath.Join(t.TempDir(), "root.key"), Disk: h.disk, Pause: h.look}
	h.start(h.disk)
	h.expect("POST", "/dbs", `{"id":"db"}`, http.StatusCreated)
	h.expect("POST", "/dbs/db/colls", `{"id":"c","partitionKey":{"paths":["/id"],"kind":"Hash","version":2}}`,
		http.StatusCreated)
	for n := range killedItems {
		h.expect("POST", "/dbs/db/colls/c/docs", fmt.Sprintf(`{"id":"%d"}`, n), http.StatusCreated)
	}
	h.looking = false
	if status, body := h.restore(); status != http.StatusOK || !h.partial {
		t.Fatalf("%d %s; seen with some items: %v", status, body, h.partial)
	}
	h.looking = true
	h.keep()
	h.stop()
	ends := map[bool]int{}
	for _, disk := range h.left {
		h.start(disk)
		exists := h.checkWhole()
		ends[exists]++
		if !exists && h.stored() != 0 {
			t.Errorf("%d items are left without a container", h.stored())
		}
		if status, body := h.restore(); exists != (status == http.StatusConflict) || !h.checkWhole() {
			t.Errorf("the next restore, of a container that exists (%v): %d %s", exists, status, body)
		}
		h.stop()
	}
	if ends[false] < killedItems || ends[true] == 0 {
		t.Errorf("the container exists (true) or not (false): %v", ends)
	}
}

// start starts a process on a disk.
func (h *killedRestore) start(disk *vfs.MemFS) {
	h.options.Disk = disk
	var err error
	if h.store, err = store.Open(h.options); err != nil {
		h.t.Fatal(err)
	}
	if h.service, err = New(Config{Store: h.store, Clock: clock.Manual(time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)),
		Seed: 1, ContinuousBackup: 7 * 24 * time.Hour}); err != nil {
		h.t.Fatal(err)
	}
	h.service.histories.WriteBatch = 1
}

func (h *killedRestore) stop() {
	if err := h.service.Close(); err != nil {
		h.t.Error(err)
	}
	if err := h.store.Close(); err != nil {
		h.t.Error(err)
	}
}

// keep keeps what a kill would leave on the disk now: half of the times all that was written, otherwise only what was
// synced.
func (h *killedRestore) keep() {
	h.left = append(h.left, h.disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100 * (len(h.left) % 2),
		RNG: rand.New(rand.NewPCG(1, 1))}))
}

// look checks the container, and keeps what a kill would leave.
func (h *killedRestore) look() {
	if h.looking {
		return
	}
	h.looking = true
	defer func() { h.looking = false }()
	h.keep()
	if n := h.stored(); !h.checkWhole() && 0 < n && n < killedItems && !h.partial {
		h.partial = true
		h.expect("POST", "/dbs/db/colls", `{"id":"again","partitionKey":{"paths":["/id"],"kind":"Hash","version":2}}`,
			http.StatusConflict)
		h.expect("DELETE", "/dbs/db/colls/again", "", http.StatusNotFound)
	}
}

// checkWhole reports whether the container exists: then it has all items, is listed, and has throughput.
func (h *killedRestore) checkWhole() bool {
	h.t.Helper()
	status, docs := h.ask("GET", "/dbs/db/colls/again/docs", "")
	_, containers := h.ask("GET", "/dbs/db/colls", "")
	_, offers := h.ask("GET", "/offers", "")
	want := 0
	if status == http.StatusOK {
		want = 1
	}
	var feed struct {
		Documents []json.RawMessage
	}
	_ = json.Unmarshal([]byte(docs), &feed)
	if listed := strings.Count(containers, `"id":"again"`); listed != want || len(feed.Documents) != want*killedItems ||
		strings.Count(offers, `"offerVersion"`) != 1+want {
		h.t.Errorf("%d, %d of %d items, listed %d times, offers: %s", status, len(feed.Documents), killedItems, listed, offers)
	}
	return want == 1
}

// stored returns the number of items of the second container in the store.
func (h *killedRestore) stored() (n int) {
	if err := h.store.View(func(r *store.Reader) error {
		prefix := append(engine.ContainerPrefix(2), engine.LetterItem)
		it := r.Iter(prefix, store.PrefixEnd(prefix), false)
		defer it.Close()
		for ; it.Next(); n++ {
		}
		return it.Close()
	}); err != nil {
		h.t.Error(err)
	}
	return n
}

// restore runs the operation.
func (h *killedRestore) restore() (status int, body string) {
	return h.restoreAs(h.t.Context(), "again")
}

func (h *killedRestore) restoreAs(ctx context.Context, name string) (status int, body string) {
	w := httptest.NewRecorder()
	h.service.History().ServeHTTP(w, httptest.NewRequestWithContext(ctx, "POST", "/"+h.operation,
		strings.NewReader(`{"Database":"db","Container":"c","NewContainer":"`+name+`"}`)))
	return w.Code, w.Body.String()
}

func (h *killedRestore) expect(method, path, body string, want int) {
	h.t.Helper()
	if got, answer := h.ask(method, path, body); got != want {
		h.t.Errorf("%s %s: %d %s", method, path, got, answer)
	}
}

func (h *killedRestore) ask(method, path, body string) (status int, answer string) {
	r := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
	var document struct{ ID string }
	if strings.HasSuffix(path, "/docs") && json.Unmarshal([]byte(body), &document) == nil {
		r.Header.Set("X-Ms-Documentdb-Partitionkey", fmt.Sprintf("[%q]", document.ID))
	}
	w := httptest.NewRecorder()
	served := make(chan struct{})
	go func() { // another client: it holds none of the locks of the restore, which may be calling look
		defer close(served)
		h.service.SignedGateway().ServeHTTP(w, r)
	}()
	<-served
	return w.Code, w.Body.String()
}

// cloneWriter is the response of a clone, whose progress calls a function.
type cloneWriter struct {
	*httptest.ResponseRecorder
	progress func(items int64)
}

func (w cloneWriter) Progress(items int64) { w.progress(items) }

// TestACloneIsAContainerAsOfOneMoment writes to a container without continuous backup while it is cloned: the clone has
// the items and the settings of the moment when it began. One whose client leaves has left nothing before.
func TestACloneIsAContainerAsOfOneMoment(t *testing.T) {
	t.Parallel()
	h := &killedRestore{t: t, options: store.Options{}}
	var err error
	if h.store, err = store.Open(h.options); err != nil {
		t.Fatal(err)
	}
	if h.service, err = New(Config{Store: h.store, Clock: clock.Manual(time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)),
		Seed: 1}); err != nil {
		t.Fatal(err)
	}
	defer h.stop()
	h.expect("POST", "/dbs", `{"id":"db"}`, http.StatusCreated)
	h.expect("POST", "/dbs/db/colls", `{"id":"c","defaultTtl":600,"partitionKey":{"paths":["/id"],"kind":"Hash","version":2}}`,
		http.StatusCreated)
	const items = 250
	for n := range items {
		h.expect("POST", "/dbs/db/colls/c/docs", fmt.Sprintf(`{"id":"%d"}`, n), http.StatusCreated)
	}
	clone := func(progress func(cancel func())) *httptest.ResponseRecorder {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		w := cloneWriter{httptest.NewRecorder(), func(int64) { progress(cancel) }}
		h.service.History().ServeHTTP(w, httptest.NewRequestWithContext(ctx, "POST", "/Clone",
			strings.NewReader(`{"Database":"db","Container":"c","NewContainer":"copies"}`)))
		return w.ResponseRecorder
	}
	if w := clone(func(cancel func()) { cancel() }); w.Code == http.StatusOK {
		t.Errorf("a clone whose client left: %s", w.Body)
	}
	h.expect("GET", "/dbs/db/colls/copies", "", http.StatusNotFound)
	if n := h.stored(); n != 0 {
		t.Errorf("%d items are left of a clone whose client left", n)
	}
	steps := 0
	w := clone(func(func()) {
		h.expect("POST", "/dbs/db/colls/c/docs", fmt.Sprintf(`{"id":"new-%d"}`, steps), http.StatusCreated)
		h.expect("GET", "/dbs/db/colls/copies", "", http.StatusNotFound)
		steps++
	})
	batch := h.service.histories.WriteBatch
	if w.Code != http.StatusOK || w.Body.String() != `{"container":"copies","items":250}` ||
		steps != (items+batch-1)/batch {
		t.Fatalf("%d %s in %d steps", w.Code, w.Body, steps)
	}
	if _, docs := h.ask("GET", "/dbs/db/colls/copies/docs", ""); strings.Contains(docs, "new-") {
		t.Error("the clone has items that were written after it began")
	}
	if _, settings := h.ask("GET", "/dbs/db/colls/copies", ""); !strings.Contains(settings, `"defaultTtl":600`) {
		t.Errorf("the clone has other settings: %s", settings)
	}
	if w := clone(func(func()) {}); w.Code != http.StatusConflict {
		t.Errorf("a clone to a container that exists: %d %s", w.Code, w.Body)
	}
}
