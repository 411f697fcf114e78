package dynamo

import (
	"fmt"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestUnfinishedChangesAreFinished opens a store that a process left between the definition of an index and a time to live
// and the entries of the items that were there.
func TestUnfinishedChangesAreFinished(t *testing.T) {
	t.Parallel()
	state, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer state.Close()
	now := clock.Manual(time.Unix(1000, 0))
	s, err := New(Config{Store: state, Clock: now})
	if err != nil {
		t.Fatal(err)
	}
	// It is not closed: its process dies.
	ask(t, s, "CreateTable", `{"TableName":"orders","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}`)
	for i := range 3 {
		ask(t, s, "PutItem", fmt.Sprintf(`{"TableName":"orders","Item":{"id":{"S":"%d"},"city":{"S":"Oslo"},"until":{"N":"%d"}}}`, i, 1001+i))
	}
	a := s.shared.Load()
	former, err := a.namedTable("orders")
	if err != nil {
		t.Fatal(err)
	}
	def := former.def.clone()
	def.Attributes = append(def.Attributes, attributeDefinition{"city", "S"})
	def.Global = []indexDefinition{{
		Name: "by-city", ID: s.newID(), KeySchema: []keySchemaElement{{"city", "HASH"}}, Projection: projection{ProjectionType: "ALL"}, Backfilling: true,
	}}
	def.TTLAttribute, def.EnteringExpiry = "until", true
	if _, err := a.publish(t.Context(), def, nil); err != nil {
		t.Fatal(err)
	}

	next, err := New(Config{Store: state, Clock: now})
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()

	if items := countOf(t, next, "by-city"); items != 3 {
		t.Errorf("the index has %d items, want 3", items)
	}
	if err := now.Advance(3 * time.Second); err != nil {
		t.Fatal(err)
	}
	if items := countOf(t, next, "by-city"); items != 1 {
		t.Errorf("after two of three items expired, the index has %d", items)
	}
}

// countOf is how many items an index has that is not being filled any more.
func countOf(t *testing.T, s *Service, index string) int64 {
	t.Helper()
	orders, err := s.shared.Load().namedTable("orders")
	if err != nil {
		t.Fatal(err)
	}
	x, ok := orders.index(index)
	if !ok || orders.def.unfinished() {
		t.Fatalf("%s is not finished", index)
	}
	return x.stats.items.Load()
}

func ask(t *testing.T, s *Service, name, body string) {
	t.Helper()
	if _, err := operations[name](as(s.shared.Load()), []byte(body), nil); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}
