package dynamo_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo"
	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

const laggingTable = `{"TableName":"people","BillingMode":"PAY_PER_REQUEST",
	"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},{"AttributeName":"part","AttributeType":"S"},
		{"AttributeName":"rank","AttributeType":"N"},{"AttributeName":"city","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"id","KeyType":"HASH"},{"AttributeName":"part","KeyType":"RANGE"}],
	"LocalSecondaryIndexes":[{"IndexName":"by-rank","Projection":{"ProjectionType":"KEYS_ONLY"},
		"KeySchema":[{"AttributeName":"id","KeyType":"HASH"},{"AttributeName":"rank","KeyType":"RANGE"}]}],
	"GlobalSecondaryIndexes":[{"IndexName":"by-city","Projection":{"ProjectionType":"ALL"},
		"KeySchema":[{"AttributeName":"city","KeyType":"HASH"}]}]}`

// laggingService returns a service whose reads lag.
func laggingService(t *testing.T) *conversation {
	t.Helper()
	state, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := &conversation{clock: clock.Manual(time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))}
	c.service, err = dynamo.New(dynamo.Config{Store: state, Clock: c.clock, Seed: 1,
		PendingWrites: lag.New(c.clock, 1, true)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.service.Close(); err != nil {
			t.Error(err)
		}
		if err := state.Close(); err != nil {
			t.Error(err)
		}
	})
	c.must(t, "CreateTable", laggingTable)
	return c
}

type failer interface {
	Helper()
	Fatalf(string, ...any)
}

// must sends a request that must succeed, and returns the parts of the response that the tests check.
func (c *conversation) must(t failer, operation, request string) (out struct {
	Item  person
	Items []person
}) {
	t.Helper()
	w := c.post("DynamoDB_20120810."+operation, request)
	if w.Code != http.StatusOK {
		t.Fatalf("%s %s: %s", operation, request, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
		t.Fatalf("%v", err)
	}
	return out
}

// person is an item of the table. Its version rises with each write.
type person struct {
	ID, City      struct{ S string }
	Version, Rank struct {
		N int `json:",string"`
	}
}

// TestStaleReadsReturnPastStates writes at random to one table and reads it in all ways after each step. Consistent
// reads return the current state; others return for each item a state that once was; the global index never returns an
// older state than before, and an item in at most one city; a local index returns what its table does; and after the
// longest delay all return the current state.
func TestStaleReadsReturnPastStates(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		h := &laggingHistory{conversation: laggingService(t), lastSeen: map[string]int{}}
		for i := range h.states {
			h.states[i] = []state{{}}
		}
		for range rapid.IntRange(1, 15).Draw(r, "steps") {
			h.step(r)
			h.checkReads(r)
		}
		if err := h.clock.Advance(lag.MaxDelay); err != nil {
			r.Fatal(err)
		}
		for range 5 {
			h.checkReads(r)
		}
		h.checkCurrent(r)
	})
}

const people = 3

type state struct {
	version, rank int // version 0 means no item
	city          string
}

type laggingHistory struct {
	*conversation
	states   [people][]state
	lastSeen map[string]int // what a reader that never goes back saw last
	version  int
}

func (h *laggingHistory) step(r *rapid.T) {
	who := rapid.IntRange(0, people-1).Draw(r, "who")
	h.version++
	next := state{h.version, rapid.IntRange(1, 2).Draw(r, "rank"),
		rapid.SampledFrom([]string{"bonn", "cork", "turin"}).Draw(r, "city")}
	item := fmt.Sprintf(`{"id":{"S":"p%d"},"part":{"S":"a"},"version":{"N":"%d"},"rank":{"N":"%d"},"city":{"S":%q}}`, who,
		next.version, next.rank, next.city)
	key := keyOfPerson(who)
	switch rapid.SampledFrom([]string{"put", "update", "delete", "batch", "transaction", "cancelled", "pass",
		"pass"}).Draw(r, "do") {
	case "put":
		h.must(r, "PutItem", `{"TableName":"people","Item":`+item+`}`)
	case "update":
		h.must(r, "UpdateItem",
			fmt.Sprintf(`{"TableName":"people","Key":%s,"UpdateExpression":"SET version = :v, #r = :r, city = :c",
			"ExpressionAttributeNames":{"#r":"rank"},
			"ExpressionAttributeValues":{":v":{"N":"%d"},":r":{"N":"%d"},":c":{"S":%q}}}`, key, next.version, next.rank, next.city))
	case "delete":
		h.must(r, "DeleteItem", `{"TableName":"people","Key":`+key+`}`)
		next = state{}
	case "batch":
		h.must(r, "BatchWriteItem", `{"RequestItems":{"people":[{"PutRequest":{"Item":`+item+`}}]}}`)
	case "transaction":
		h.must(r, "TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"people","Item":`+item+`}}]}`)
	case "cancelled": // it leaves nothing, whatever the order of its actions
		h.post("DynamoDB_20120810.TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"people","Item":`+item+`}},
			{"ConditionCheck":{"TableName":"people","Key":`+keyOfPerson(people)+`,"ConditionExpression":"attribute_exists(id)"}}]}`)
		return
	case "pass":
		d := rapid.SampledFrom([]time.Duration{time.Millisecond, 5 * time.Millisecond, 30 * time.Millisecond,
			time.Second}).Draw(r, "by")
		if err := h.clock.Advance(d); err != nil {
			r.Fatal(err)
		}
		return
	}
	h.states[who] = append(h.states[who], next)
}

func keyOfPerson(who int) string { return fmt.Sprintf(`{"id":{"S":"p%d"},"part":{"S":"a"}}`, who) }

func (h *laggingHistory) checkReads(r *rapid.T) {
	for who := range people {
		current := h.states[who][len(h.states[who])-1]
		it := h.must(r, "GetItem", `{"TableName":"people","ConsistentRead":true,"Key":`+keyOfPerson(who)+`}`).Item
		if it.Version.N != current.version {
			r.Fatalf("a consistent read of %d shows version %d, not %d", who, it.Version.N, current.version)
		}
		h.findState(r, who, h.must(r, "GetItem", `{"TableName":"people","Key":`+keyOfPerson(who)+`}`).Item, 0)
		h.checkLocal(r, who)
	}
	batch := h.must(r, "Scan", `{"TableName":"people"}`).Items
	for _, it := range batch {
		h.findState(r, int(it.ID.S[1]-'0'), it, 0)
	}
	h.checkGlobal(r)
}

// checkLocal reads through the local index, completing the items from the table: each is in its place.
func (h *laggingHistory) checkLocal(r *rapid.T, who int) {
	found := 0
	for rank := 1; rank <= 2; rank++ {
		page := h.must(r, "Query",
			fmt.Sprintf(`{"TableName":"people","IndexName":"by-rank","Select":"ALL_ATTRIBUTES","ConsistentRead":true,
			"KeyConditionExpression":"id = :i and #r = :r","ExpressionAttributeNames":{"#r":"rank"},
			"ExpressionAttributeValues":{":i":{"S":"p%d"},":r":{"N":"%d"}}}`, who, rank))
		found += len(page.Items)
	}
	if current := h.states[who][len(h.states[who])-1]; found > 1 || (found == 1) != (current.version > 0) {
		r.Fatalf("%d entries of %d in the local index", found, who)
	}
	page := h.must(r, "Query", fmt.Sprintf(`{"TableName":"people","IndexName":"by-rank","Select":"ALL_ATTRIBUTES",
		"KeyConditionExpression":"id = :i","ExpressionAttributeValues":{":i":{"S":"p%d"}}}`, who))
	if len(page.Items) > 1 {
		r.Fatalf("%d is %d times in the local index", who, len(page.Items))
	}
	for _, it := range page.Items {
		h.findState(r, who, it, 0)
	}
}

func (h *laggingHistory) checkGlobal(r *rapid.T) {
	shown := [people]person{}
	for _, city := range []string{"bonn", "cork", "turin"} {
		page := h.must(r, "Query",
			fmt.Sprintf(`{"TableName":"people","IndexName":"by-city","KeyConditionExpression":"city = :c",
			"ExpressionAttributeValues":{":c":{"S":%q}}}`, city))
		for _, it := range page.Items {
			who := int(it.ID.S[1] - '0')
			if shown[who].Version.N != 0 || it.City.S != city {
				r.Fatalf("%d is in %s and in %s", who, shown[who].City.S, city)
			}
			shown[who] = it
		}
	}
	for who, it := range shown {
		name := fmt.Sprintf("index %d", who)
		h.lastSeen[name] = h.findState(r, who, it, h.lastSeen[name])
	}
}

// findState returns the position of the state that an item shows, from a position on.
func (h *laggingHistory) findState(r *rapid.T, who int, it person, from int) int {
	for n := from; n < len(h.states[who]); n++ {
		if s := h.states[who][n]; s.version == it.Version.N && s.city == it.City.S && s.rank == it.Rank.N {
			return n
		}
	}
	r.Fatalf("%d shows %+v, which is none of %v from %d on", who, it, h.states[who], from)
	return 0
}

// checkCurrent checks that all reads return the current state.
func (h *laggingHistory) checkCurrent(r *rapid.T) {
	for who := range people {
		current := h.states[who][len(h.states[who])-1]
		for range 10 {
			if got := h.must(r, "GetItem", `{"TableName":"people","Key":`+keyOfPerson(who)+
				`}`).Item.Version.N; got != current.version {
				r.Fatalf("a read of %d shows version %d when all has arrived, not %d", who, got, current.version)
			}
		}
		if n := h.lastSeen[fmt.Sprintf("index %d", who)]; h.states[who][n] != current {
			r.Fatalf("the index shows %v of %d when all has arrived, not %v", h.states[who][n], who, current)
		}
	}
}

func TestReplaceDiscardsPendingWrites(t *testing.T) {
	t.Parallel()
	c := laggingService(t)
	put := `{"TableName":"people","Item":{"id":{"S":"p0"},"part":{"S":"a"},"version":{"N":"1"},"city":{"S":"bonn"}}}`
	c.must(t, "PutItem", put)
	byCity := `{"TableName":"people","IndexName":"by-city"}`
	if n := len(c.must(t, "Scan", byCity).Items); n != 0 {
		t.Errorf("the index shows %d items before it heard of them", n)
	}
	// The same state, as if from a snapshot.
	if err := c.service.Replace(t.Context(), func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	if n := len(c.must(t, "Scan", byCity).Items); n != 1 {
		t.Errorf("the index of a restored table shows %d items", n)
	}
	c.must(t, "DeleteTable", `{"TableName":"people"}`)
	c.must(t, "CreateTable", laggingTable)
	if n := len(c.must(t, "Scan", byCity).Items); n != 0 {
		t.Errorf("the index of a new table shows %d items", n)
	}
}

func TestNewIndexesShowBackfilledItems(t *testing.T) {
	t.Parallel()
	c := laggingService(t)
	c.must(t, "PutItem", `{"TableName":"people","Item":{"id":{"S":"p0"},"part":{"S":"a"},"nick":{"S":"ann"}}}`)
	c.must(t, "UpdateTable", `{"TableName":"people","AttributeDefinitions":[{"AttributeName":"nick","AttributeType":"S"}],
		"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"by-nick","Projection":{"ProjectionType":"ALL"},
			"KeySchema":[{"AttributeName":"nick","KeyType":"HASH"}]}}]}`)
	if n := len(c.must(t, "Scan", `{"TableName":"people","IndexName":"by-nick"}`).Items); n != 1 {
		t.Errorf("the new index shows %d items", n)
	}
}
