package dynamo

import (
	"fmt"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestUnfinishedTableChangesAreFinishedAtStart opens a store whose process died after the definition of an index and of
// time to live, and before existing items were entered.
func TestUnfinishedTableChangesAreFinishedAtStart(t *testing.T) {
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
	mustRun(t, s,
		"CreateTable", `{"TableName":"orders","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"}`)
	for i := range 3 {
		mustRun(t, s, "PutItem",
			fmt.Sprintf(`{"TableName":"orders","Item":{"id":{"S":"%d"},"city":{"S":"Oslo"},"until":{"N":"%d"}}}`, i, 1001+i))
	}
	a := s.engine.SharedAccount.Load()
	former, err := a.NamedTable("orders")
	if err != nil {
		t.Fatal(err)
	}
	def := former.Def.Clone()
	def.Attributes = append(def.Attributes, engine.AttributeDefinition{AttributeName: "city", AttributeType: "S"})
	def.Global = []engine.IndexDefinition{{
		Name: "by-city", ID: s.engine.NewID(), KeySchema: []engine.KeySchemaElement{{AttributeName: "city", KeyType: "HASH"}},
		Projection: engine.Projection{ProjectionType: "ALL"}, Backfilling: true,
	}}
	def.TTLAttribute, def.EnteringExpiry = "until", true
	if _, err := a.Publish(t.Context(), def, nil); err != nil {
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

// countOf returns the number of items in an index that must not be backfilling.
func countOf(t *testing.T, s *Service, index string) int64 {
	t.Helper()
	orders, err := s.engine.SharedAccount.Load().NamedTable("orders")
	if err != nil {
		t.Fatal(err)
	}
	x, ok := orders.Index(index)
	if !ok || orders.Def.HasUnfinishedWork() {
		t.Fatalf("%s is not finished", index)
	}
	return x.Stats.Items.Load()
}

func mustRun(t *testing.T, s *Service, name, body string) {
	t.Helper()
	if _, err := runOperation(s, requestFor(s.engine.SharedAccount.Load()), name, []byte(body), nil); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}
