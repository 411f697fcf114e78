package dynamo

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestStreamsExistBeforeTablesNameThem looks at tables and streams wherever other goroutines may overtake an update
// that creates a table with a stream, or enables one: a table never names a stream that cannot be described.
func TestStreamsExistBeforeTablesNameThem(t *testing.T) {
	t.Parallel()
	var s atomic.Pointer[Service]
	named := 0
	state, err := store.Open(store.Options{Pause: func() {
		if s.Load() == nil {
			return
		}
		a := s.Load().engine.SharedAccount.Load()
		for name, table := range *a.Tables.Load() {
			if table.Def.Stream == nil {
				continue
			}
			named++
			if st := streamsOf(a).All()[a.ARN("dynamodb", "table/"+name+"/stream/"+table.Def.Stream.Label)]; st == nil {
				t.Errorf("the stream of table %s does not exist", name)
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer state.Close()
	opened := openService(t, state, clock.Manual(time.Unix(1_800_000_000, 0)))
	defer opened.Close()
	defer s.Store(nil)
	s.Store(opened)
	mustRun(t, opened, "CreateTable", provisionedWithStream)
	mustRun(t, opened, "CreateTable", sessions)
	mustRun(t, opened, "UpdateTable",
		`{"TableName":"sessions","StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}`)
	if named == 0 {
		t.Error("no update was overtaken")
	}
}
