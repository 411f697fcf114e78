package cosmos

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/pointintime"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/paging"
	"github.com/tabletop-db/tabletop/internal/testutil/seeds"
)

// TestHistoryMatchesTheModel runs a random history of writes, restarts and restored snapshots, and then looks at random
// moments of it: the container must be what a map of the writes was at that moment, the difference of two moments must
// lead from one to the other, the versions of an item must follow each other, and a restored container must have the
// items of its moment. Half of the histories have bounds so small that pages need several views and several requests.
func TestHistoryMatchesTheModel(t *testing.T) {
	t.Parallel()
	seeds.Run(t, 8, func(t *testing.T, seed uint64) {
		h := newWrittenContainer(t, seed)
		for range 20 + h.random.IntN(60) {
			h.step(t)
		}
		h.checkMoments(t)
		h.checkVersions(t)
		h.checkRestored(t)
	})
}

// writtenContainer is a container of an account with continuous backup, and what it was at each moment.
type writtenContainer struct {
	random  *rand.Rand
	dir     string
	store   *store.Store
	clock   *clock.Clock
	service *Service
	bounds  pointintime.Bounds
	items   writtenItems
	moments []writtenMoment
}

// writtenItems are documents, without system properties, by partition key and id.
type writtenItems map[string]string

type writtenMoment struct {
	at    string // RFC 3339
	items writtenItems
}

func newWrittenContainer(t *testing.T, seed uint64) *writtenContainer {
	h := &writtenContainer{random: rand.New(rand.NewPCG(seed, 1)), dir: t.TempDir(), items: writtenItems{},
		clock:  clock.Manual(time.Date(2026, 11, 26, 12, 0, 0, 5, time.UTC)),
		bounds: pointintime.DefaultBounds(1 << 26)}
	if seed%2 == 0 {
		h.bounds = pointintime.Bounds{ViewBytes: 400, Steps: 400}
	}
	h.open(t)
	t.Cleanup(func() { h.close(t) })
	h.ask(t, "POST", "/dbs", `{"id":"db"}`, "")
	h.ask(t, "POST", "/dbs/db/colls", `{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`, "")
	h.record(t)
	return h
}

func (h *writtenContainer) open(t *testing.T) {
	var err error
	if h.store, err = store.Open(store.Options{Dir: h.dir}); err != nil {
		t.Fatal(err)
	}
	if h.service, err = New(Config{Store: h.store, Clock: h.clock, Seed: 1,
		ContinuousBackup: 7 * 24 * time.Hour}); err != nil {
		t.Fatal(err)
	}
	h.service.histories.Bounds = h.bounds
	h.service.histories.WriteBatch = 1 + h.random.IntN(8)
}

func (h *writtenContainer) close(t *testing.T) {
	if err := h.service.Close(); err != nil {
		t.Error(err)
	}
	if err := h.store.Close(); err != nil {
		t.Error(err)
	}
}

// ask sends a request, which must succeed or, if it is a DELETE, not find its item.
func (h *writtenContainer) ask(t *testing.T, method, path, body, pk string, headers ...string) []byte {
	t.Helper()
	r := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
	if pk != "" {
		r.Header.Set("X-Ms-Documentdb-Partitionkey", fmt.Sprintf("[%q]", pk))
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.service.SignedGateway().ServeHTTP(w, r)
	if w.Code >= 300 && (w.Code != http.StatusNotFound || method != "DELETE") {
		t.Fatalf("%s %s %s: %d %s", method, path, body, w.Code, w.Body)
	}
	return w.Body.Bytes()
}

// step writes something, or changes what the container depends on, and records the moment after it.
func (h *writtenContainer) step(t *testing.T) {
	switch n := h.random.IntN(22); {
	case n < 8:
		h.upsert(t)
	case n < 11:
		h.delete(t)
	case n < 14:
		h.batch(t)
	case n < 18:
		if err := h.clock.Advance(time.Duration(h.random.IntN(2_000_000_000))); err != nil {
			t.Fatal(err)
		}
	case n < 20: // a look at an earlier moment leaves a view, which later writes must not spoil
		h.checkMoment(t, h.moments[h.random.IntN(len(h.moments))])
	case n < 21: // time passes meanwhile: what a restored snapshot dropped had positions too
		h.close(t)
		if err := h.clock.Advance(time.Microsecond); err != nil {
			t.Fatal(err)
		}
		h.open(t)
	default:
		h.restoreSnapshot(t)
	}
	h.record(t)
}

func (h *writtenContainer) key() (pk, id string) {
	return string('a' + rune(h.random.IntN(4))), string('0' + rune(h.random.IntN(4)))
}

func (h *writtenContainer) document(pk, id string) string {
	return fmt.Sprintf(`{"id":%q,"n":%d,"pk":%q}`, id, h.random.IntN(3), pk)
}

const writtenDocs = "/dbs/db/colls/c/docs"

func (h *writtenContainer) upsert(t *testing.T) {
	pk, id := h.key()
	text := h.document(pk, id)
	h.ask(t, "POST", writtenDocs, text, pk, "X-Ms-Documentdb-Is-Upsert", "True")
	h.items[pk+id] = text
}

func (h *writtenContainer) delete(t *testing.T) {
	pk, id := h.key()
	h.ask(t, "DELETE", writtenDocs+"/"+id, "", pk)
	delete(h.items, pk+id)
}

// batch upserts two items of a partition in one transaction, and one of them twice.
func (h *writtenContainer) batch(t *testing.T) {
	pk, a := h.key()
	_, b := h.key()
	first, second, last := h.document(pk, a), h.document(pk, b), h.document(pk, a)
	if a == b {
		second = last
	}
	h.ask(t, "POST", writtenDocs, fmt.Sprintf(`[{"operationType":"Upsert","resourceBody":%s},
		{"operationType":"Upsert","resourceBody":%s},{"operationType":"Upsert","resourceBody":%s}]`, first, second, last),
		pk, "X-Ms-Cosmos-Is-Batch-Request", "True", "X-Ms-Cosmos-Batch-Atomic", "True")
	h.items[pk+b] = second
	h.items[pk+a] = last
}

// restoreSnapshot takes a snapshot, changes something, looks at it, and restores the snapshot.
func (h *writtenContainer) restoreSnapshot(t *testing.T) {
	snapshot, err := h.store.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	before := maps.Clone(h.items)
	h.upsert(t)
	h.checkMoment(t, h.moments[len(h.moments)-1])
	h.items = before
	if err := h.service.Replace(t.Context(), func() error { return h.store.Restore(snapshot) }); err != nil {
		t.Fatal(err)
	}
}

// record records the latest moment. The state of a moment includes its changes, and never changes again.
func (h *writtenContainer) record(t *testing.T) {
	var span struct{ Latest string }
	h.read(t, "Span", map[string]any{}, &span)
	h.moments = append(h.moments, writtenMoment{span.Latest, maps.Clone(h.items)})
}

// read reads an operation's response, which must succeed.
func (h *writtenContainer) read(t *testing.T, operation string, request map[string]any, answer any) {
	t.Helper()
	request["Database"], request["Container"] = "db", "c"
	body, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	h.service.History().ServeHTTP(w, httptest.NewRequest("POST", "/"+operation, bytes.NewReader(body)))
	if w.Code != http.StatusOK {
		t.Fatalf("%s %s: %d %s", operation, body, w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), answer); err != nil {
		t.Fatalf("%s: %v", w.Body, err)
	}
}

// pages reads all pages of a list, each with a random limit, and passes each response to add.
func (h *writtenContainer) pages(t *testing.T, operation string, request map[string]any,
	add func(page json.RawMessage)) {
	t.Helper()
	paging.All(t, h.random, request, func() (page json.RawMessage) {
		h.read(t, operation, request, &page)
		return page
	}, add)
}
