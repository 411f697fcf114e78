package store

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tabletop-db/tabletop/internal/testutil/schedule"
)

// TestWritersDoNotMeasure ends a flush: the next write does not count overlapping tables, for which it would wait for
// a manifest to be synced while others wait for its latches; the compaction scheduler does.
func TestWritersDoNotMeasure(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, err := Open(Options{Dir: t.TempDir(), Disk: vfs.NewMem()})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		synctest.Wait()
		s.condition.overlap.changed()
		if err := s.awaitCompactions(); err != nil {
			t.Fatal(err)
		}
		if s.condition.overlap.measured.Load() {
			t.Error("a writer has measured")
		}
		schedule.Advance(grantInterval + time.Millisecond)
		if !s.condition.overlap.measured.Load() {
			t.Error("the scheduler has not measured")
		}
	})
}
