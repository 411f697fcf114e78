package dynamo

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/history"
	"github.com/tabletop-db/tabletop/emulator/internal/pointintime"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/paging"
	"github.com/tabletop-db/tabletop/internal/testutil/seeds"
)

// TestHistoryMatchesTheModel runs a random history of writes, restarts and restored snapshots, and then looks at random
// moments of it: the table and its index must be what a map of the writes was at that moment, the difference of two
// moments must lead from one to the other, and the versions of an item must follow each other. Half of the histories
// have bounds so small that pages need several overlays and several requests.
func TestHistoryMatchesTheModel(t *testing.T) {
	t.Parallel()
	seeds.Run(t, 12, func(t *testing.T, seed uint64) {
		h := newWrittenTable(t, seed)
		for range 20 + h.random.IntN(60) {
			h.step(t)
		}
		h.checkMoments(t)
		h.checkVersions(t)
		h.checkCounts(t)
	})
}

// writtenTable is a table with point-in-time recovery, and what it was at each moment.
type writtenTable struct {
	random  *rand.Rand
	dir     string
	store   *store.Store
	clock   *clock.Clock
	service *Service
	bounds  pointintime.Bounds
	items   writtenItems
	moments []writtenMoment
}

// writtenItems are items in DynamoDB JSON by their keys.
type writtenItems map[string]string

type writtenMoment struct {
	at    string // RFC 3339
	items writtenItems
}

func newWrittenTable(t *testing.T, seed uint64) *writtenTable {
	h := &writtenTable{random: rand.New(rand.NewPCG(seed, 1)), dir: t.TempDir(), items: writtenItems{},
		clock: clock.Manual(time.Date(2026, 11, 26, 12, 0, 0, 5, time.UTC)), bounds: history.NewExtension().Bounds}
	if seed%2 == 0 {
		h.bounds = pointintime.Bounds{ViewBytes: 400, Steps: 400}
	}
	h.open(t)
	t.Cleanup(func() { h.close(t) })
	mustAsk(t, h.service, "CreateTable", `{"TableName":"written","BillingMode":"PAY_PER_REQUEST",
		"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},
			{"AttributeName":"color","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
		"GlobalSecondaryIndexes":[{"IndexName":"by-color","Projection":{"ProjectionType":"ALL"},
			"KeySchema":[{"AttributeName":"color","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]}]}`)
	for range h.random.IntN(4) { // older than the recovery
		h.put(t)
	}
	mustAsk(t, h.service, "UpdateContinuousBackups",
		`{"TableName":"written","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}`)
	h.record(t)
	return h
}

func (h *writtenTable) open(t *testing.T) {
	var err error
	if h.store, err = store.Open(store.Options{Dir: h.dir}); err != nil {
		t.Fatal(err)
	}
	if h.service, err = New(Config{Store: h.store, Clock: h.clock, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	h.service.histories.Bounds = h.bounds
}

func (h *writtenTable) close(t *testing.T) {
	if err := h.service.Close(); err != nil {
		t.Error(err)
	}
	if err := h.store.Close(); err != nil {
		t.Error(err)
	}
}

// step writes something, or changes what the table depends on, and records the moment after it.
func (h *writtenTable) step(t *testing.T) {
	switch n := h.random.IntN(24); {
	case n < 8:
		h.put(t)
	case n < 11:
		h.update(t)
	case n < 14:
		h.delete(t)
	case n < 16:
		h.batch(t)
	case n < 20:
		if err := h.clock.Advance(time.Duration(h.random.IntN(2_000_000_000))); err != nil {
			t.Fatal(err)
		}
	case n < 22: // a look at an earlier moment leaves an overlay, which later writes must not spoil
		h.checkMoment(t, h.moments[h.random.IntN(len(h.moments))])
	case n < 23: // time passes meanwhile: what a restored snapshot dropped had positions too
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

func (h *writtenTable) key() (pk string, sk int) {
	return string('a' + rune(h.random.IntN(4))), h.random.IntN(4)
}

func writtenKey(pk string, sk int) string {
	return fmt.Sprintf(`"pk":{"S":%q},"sk":{"N":"%d"}`, pk, sk)
}

// attributes returns an item's attributes besides its key; the color, if any, enters it in the index.
func (h *writtenTable) attributes() string {
	all := fmt.Sprintf(`,"n":{"N":"%d"}`, h.random.IntN(3))
	if h.random.IntN(3) > 0 {
		all = fmt.Sprintf(`,"color":{"S":"%d"}`, h.random.IntN(2)) + all
	}
	return all
}

func (h *writtenTable) put(t *testing.T) {
	key := writtenKey(h.key())
	it := "{" + key + h.attributes() + "}"
	mustAsk(t, h.service, "PutItem", `{"TableName":"written","Item":`+it+`}`)
	h.items[key] = it
}

func (h *writtenTable) update(t *testing.T) {
	key, n := writtenKey(h.key()), h.random.IntN(3)
	mustAsk(t, h.service, "UpdateItem", fmt.Sprintf(`{"TableName":"written","Key":{%s},"UpdateExpression":"SET n = :n",
		"ExpressionAttributeValues":{":n":{"N":"%d"}}}`, key, n))
	it := h.items[key]
	if at := strings.Index(it, `,"n"`); at >= 0 {
		it = it[:at]
	} else {
		it = "{" + key
	}
	h.items[key] = it + fmt.Sprintf(`,"n":{"N":"%d"}}`, n)
}

func (h *writtenTable) delete(t *testing.T) {
	key := writtenKey(h.key())
	mustAsk(t, h.service, "DeleteItem", `{"TableName":"written","Key":{`+key+`}}`)
	delete(h.items, key)
}

// batch deletes an item and puts another.
func (h *writtenTable) batch(t *testing.T) {
	gone, put := writtenKey(h.key()), writtenKey(h.key())
	if gone == put {
		return
	}
	it := "{" + put + h.attributes() + "}"
	mustAsk(t, h.service, "TransactWriteItems", `{"TransactItems":[{"Delete":{"TableName":"written","Key":{`+gone+`}}},
		{"Put":{"TableName":"written","Item":`+it+`}}]}`)
	delete(h.items, gone)
	h.items[put] = it
}

// restoreSnapshot takes a snapshot, changes something, looks at it, and restores the snapshot.
func (h *writtenTable) restoreSnapshot(t *testing.T) {
	snapshot, err := h.store.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	before := maps.Clone(h.items)
	h.put(t)
	h.checkMoment(t, h.moments[len(h.moments)-1])
	h.items = before
	if err := h.service.Replace(t.Context(), func() error { return h.store.Restore(snapshot) }); err != nil {
		t.Fatal(err)
	}
}

// record records the latest moment. The state of a moment includes its changes, and never changes again.
func (h *writtenTable) record(t *testing.T) {
	var span struct{ Latest string }
	h.read(t, "Span", map[string]any{}, &span)
	h.moments = append(h.moments, writtenMoment{span.Latest, maps.Clone(h.items)})
}

// read reads an operation's response, which must succeed.
func (h *writtenTable) read(t *testing.T, operation string, request map[string]any, answer any) {
	t.Helper()
	request["TableName"] = "written"
	body, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(askHistory(t, h.service, operation, string(body)), answer); err != nil {
		t.Fatal(err)
	}
}

// askHistory returns the body of a response, which must be a success.
func askHistory(tb testing.TB, s *Service, operation, body string) []byte {
	tb.Helper()
	status, answer := tryHistory(s, operation, body)
	if status != http.StatusOK {
		tb.Fatalf("%s %s: %d %s", operation, body, status, answer)
	}
	return answer
}

// tryHistory returns the status and the body of a response.
func tryHistory(s *Service, operation, body string) (int, []byte) {
	a := newRequester(s, "")
	a.req.URL = &url.URL{Path: "/" + operation}
	a.body.Reset([]byte(body))
	a.req.Body, a.req.ContentLength = io.NopCloser(&a.body), int64(len(body))
	s.History().ServeHTTP(&a.rec, a.req)
	return a.rec.status, a.rec.body.Bytes()
}

// pages reads all pages of a list, each with a random limit, and passes each response to add.
func (h *writtenTable) pages(t *testing.T, operation string, request map[string]any, add func(page json.RawMessage)) {
	t.Helper()
	paging.All(t, h.random, request, func() (page json.RawMessage) {
		h.read(t, operation, request, &page)
		return page
	}, add)
}

// itemsAt returns the items at a moment, of the table or of the index, and of a partition if pk is not empty.
func (h *writtenTable) itemsAt(t *testing.T, at, index, pk string) writtenItems {
	t.Helper()
	request := map[string]any{"At": at}
	if index != "" {
		request["IndexName"] = index
	}
	if pk != "" {
		request["PartitionKey"] = json.RawMessage(fmt.Sprintf(`{"S":%q}`, pk))
	}
	all := writtenItems{}
	h.pages(t, "Items", request, func(raw json.RawMessage) {
		var page struct {
			At    string
			Items []json.RawMessage
			Count int
		}
		if err := json.Unmarshal(raw, &page); err != nil || page.At != at || page.Count != len(page.Items) {
			t.Fatalf("%s: %v", raw, err)
		}
		for _, it := range page.Items {
			key := keyOfWritten(it)
			if _, twice := all[key]; twice {
				t.Fatalf("at %s %s is there twice", at, key)
			}
			all[key] = canonical(it)
		}
	})
	return all
}

// keyOfWritten returns the key of an item, or an empty string.
func keyOfWritten(it json.RawMessage) string {
	var key struct {
		PK struct{ S string } `json:"pk"`
		SK struct {
			N int `json:",string"`
		} `json:"sk"`
	}
	if json.Unmarshal(it, &key) != nil {
		return ""
	}
	return writtenKey(key.PK.S, key.SK.N)
}

// canonical returns JSON with sorted members.
func canonical(text []byte) string {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return err.Error()
	}
	sorted, _ := json.Marshal(v)
	return string(sorted)
}

// where returns the items, in canonical form, that contain a text.
func (w writtenItems) where(part string) writtenItems {
	some := writtenItems{}
	for key, it := range w {
		if strings.Contains(it, part) {
			some[key] = canonical([]byte(it))
		}
	}
	return some
}
