package dynamo

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/backup"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestStreamsMissNothingWhenTheClockJumps advances the clock by days, which removes all changes, at each point of
// GetRecords and of a point-in-time restore where other goroutines can run. The reader either gets the complete data or
// an error that it is gone, but never an incomplete response.
func TestStreamsMissNothingWhenTheClockJumps(t *testing.T) {
	t.Parallel()
	for point := range 3 {
		t.Run(fmt.Sprint(point), func(t *testing.T) {
			t.Parallel()
			left := -1 // pauses until the clock advances; negative: it does not
			var w *scheduledTable
			w = newScheduledTable(t, 1, func() {
				if left--; left == -1 {
					if err := w.clock.Advance(60 * time.Hour); err != nil {
						t.Error(err)
					}
				}
			})
			put := `{"TableName":"counts","Item":{"id":{"S":"0"},"n":{"N":"%d"}}}`
			if err := w.clock.Advance(time.Second); err != nil {
				t.Fatal(err)
			}
			w.must(t, "PutItem", fmt.Sprintf(put, 0))
			if err := w.clock.Advance(time.Second); err != nil {
				t.Fatal(err)
			}
			at, _ := w.nextShard(t, "", map[int]int{})
			left = point
			if answer, failed := w.call("GetRecords", fmt.Sprintf(`{"ShardIterator":%q}`, at)); failed != isTrimmedError(
				answer) || !failed && !strings.Contains(answer, `"INSERT"`) {
				t.Errorf("after the clock was advanced in the midst GetRecords answers %s", answer)
			}
			w.must(t, "PutItem", fmt.Sprintf(put, 1))
			second := w.clock.Now()
			if err := w.clock.Advance(6 * time.Minute); err != nil {
				t.Fatal(err)
			}
			w.must(t, "PutItem", fmt.Sprintf(put, 2))
			table, err := w.engine.SharedAccount.Load().Table("counts")
			if err != nil {
				t.Fatal(err)
			}
			left = point
			space := []byte("where the restored items go")
			if err := backup.RewindTable(w.engine.SharedAccount.Load(), table, second, space); err != nil {
				if !strings.Contains(err.Error(), "InvalidRestoreTimeException") {
					t.Error(err)
				}
				return
			}
			w.checkRestored(t, space)
		})
	}
}

// checkRestored checks that the item of version 1 was written under a prefix.
func (w *scheduledTable) checkRestored(t *testing.T, space []byte) {
	err := w.engine.Store.View(func(r *store.Reader) error {
		it := r.Iter(space, store.PrefixEnd(space), false)
		defer it.Close()
		if !it.Next() {
			t.Error("the restored table is empty")
		} else if n, _ := item.Value(it.Value()).Field("n"); n.Text() != "1" {
			t.Errorf("the restored table has version %s, and version 1 was there", n.Text())
		}
		return it.Close()
	})
	if err != nil {
		t.Error(err)
	}
}
