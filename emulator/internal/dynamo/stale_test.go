package dynamo

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/data"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// TestReadsOfADeletedTableFail reads single items while their tables are deleted: a response without the item
// would show a state that never existed.
func TestReadsOfADeletedTableFail(t *testing.T) {
	t.Parallel()
	s := openService(t, openMemory(t), clock.Manual(time.Unix(1000, 0)))
	defer s.Close()
	const tables = 100
	for i := range tables {
		mustRun(t, s, "CreateTable", strings.Replace(sessions, "sessions", fmt.Sprintf("table-%d", i), 1))
		mustRun(t, s, "PutItem", fmt.Sprintf(`{"TableName":"table-%d","Item":{"id":{"S":"a"}}}`, i))
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range tables {
			if _, err := runOperation(s, requestFor(s.engine.SharedAccount.Load()), "DeleteTable",
				fmt.Appendf(nil, `{"TableName":"table-%d"}`, i), nil); err != nil {
				t.Error(err)
			}
		}
	}()
	for i := range tables {
		request := fmt.Appendf(nil, `{"TableName":"table-%d","Key":{"id":{"S":"a"}}}`, i)
		for gone := false; !gone; {
			answer, err := runOperation(s, requestFor(s.engine.SharedAccount.Load()), "GetItem", request, nil)
			if gone = err != nil; !gone && string(answer) != `{"Item":{"id":{"S":"a"}}}` {
				t.Fatalf("the answer is %s", answer)
			}
		}
	}
	<-done
}

// TestPagesOfARemovedIndexAreRetried reads with a table that was looked up before its index was deleted.
func TestPagesOfARemovedIndexAreRetried(t *testing.T) {
	t.Parallel()
	s := openService(t, openMemory(t), clock.Manual(time.Unix(1000, 0)))
	defer s.Close()
	mustRun(t, s, "CreateTable", sessions)
	mustRun(t, s, "UpdateTable", byCity)
	a := requestFor(s.engine.SharedAccount.Load())
	in := &data.ScanInput{}
	in.TableName.V, in.IndexName = "sessions", wire.Optional[string]{V: "by-city", Set: true}
	source, err := in.ResolveSource(a)
	if err != nil {
		t.Fatal(err)
	}
	mustRun(t, s, "UpdateTable",
		`{"TableName":"sessions","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"by-city"}}]}`)
	if _, err := in.ReadPage(a, source, source.Segment(0, 1), false); !errors.Is(err, engine.ErrStaleTable) {
		t.Errorf("reading an index that was removed: %v, want %v", err, engine.ErrStaleTable)
	}
}

// TestABatchRepeatsOnlyTheWriteWhoseTableChanged changes the table, and the first item of a batch, between the first
// and the second write of that batch, which run alone because of throttling.
func TestABatchRepeatsOnlyTheWriteWhoseTableChanged(t *testing.T) {
	t.Parallel()
	var w *scheduledTable
	var table *engine.Table
	w = newScheduledTable(t, 1, func() {
		if table == nil || table.Stats.Items.Load() != 1 {
			return
		}
		table = nil
		w.must(t, "PutItem", `{"TableName":"counts","Item":{"id":{"S":"0"},"n":{"N":"9"}}}`)
		w.must(t, "UpdateTable", `{"TableName":"counts","StreamSpecification":{"StreamEnabled":false}}`)
	})
	w.engine.Throttling = true
	var err error
	if table, err = w.engine.SharedAccount.Load().Table("counts"); err != nil {
		t.Fatal(err)
	}
	answer := w.must(t, "BatchWriteItem", `{"RequestItems":{"counts":[
		{"PutRequest":{"Item":{"id":{"S":"0"},"n":{"N":"0"}}}},{"PutRequest":{"Item":{"id":{"S":"1"},"n":{"N":"1"}}}}]}}`)
	if answer != `{"UnprocessedItems":{}}` {
		t.Errorf("the batch answers %s", answer)
	}
	for id, want := range []string{`"n":{"N":"9"}`, `"n":{"N":"1"}`} {
		item := w.must(t, "GetItem", fmt.Sprintf(`{"TableName":"counts","Key":{"id":{"S":"%d"}}}`, id))
		if !strings.Contains(item, want) {
			t.Errorf("item %d is %s, want %s", id, item, want)
		}
	}
}

const byCity = `{"TableName":"sessions","AttributeDefinitions":[{"AttributeName":"city","AttributeType":"S"}],
	"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"by-city","KeySchema":[{"AttributeName":"city","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]}`

// TestBackfillingIndexesCannotBeRead queries an index during its backfill.
func TestBackfillingIndexesCannotBeRead(t *testing.T) {
	t.Parallel()
	s := openService(t, openMemory(t), clock.Manual(time.Unix(1000, 0)))
	defer s.Close()
	mustRun(t, s, "CreateTable", sessions)
	mustRun(t, s, "UpdateTable", byCity)
	a := s.engine.SharedAccount.Load()
	table, err := a.Table("sessions")
	if err != nil {
		t.Fatal(err)
	}
	def := table.Def.Clone()
	def.Global[0].Backfilling = true
	if _, err := a.Publish(t.Context(), def, nil); err != nil {
		t.Fatal(err)
	}
	_, err = runOperation(s, requestFor(a), "Scan", []byte(`{"TableName":"sessions","IndexName":"by-city"}`), nil)
	if err == nil || !strings.Contains(err.Error(), "Cannot read from backfilling global secondary index: by-city") {
		t.Errorf("the scan of an unfinished index says %v", err)
	}
}
