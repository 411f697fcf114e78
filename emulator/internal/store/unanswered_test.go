package store

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cockroachdb/pebble/v2"

	"github.com/tabletop-db/tabletop/internal/testutil/schedule"
)

// TestADiskThatWasSuspendedIsNotDamaged leaves reads in the background unanswered: the store works on, and compactions
// rest, until several in a row were not answered without a compaction between them.
func TestADiskThatWasSuspendedIsNotDamaged(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var told strings.Builder
		c := newCondition(slog.New(slog.NewTextHandler(&told, nil)))
		listener := c.listener()
		unanswered := fmt.Errorf("in a compaction: %w", &ReadError{Path: "000005.sst", Err: errNotAnswered})
		for range 3 {
			for range maxUnanswered - 1 {
				listener.BackgroundError(unanswered)
				if c.err() != nil || !c.pace.rests(false) {
					t.Fatalf("the store's failure is %v, compactions rest: %v", c.err(), c.pace.rests(false))
				}
				schedule.Advance(maxRest)
				if c.pace.rests(false) {
					t.Fatal("no compaction tries again")
				}
			}
			listener.CompactionEnd(pebble.CompactionInfo{Err: unanswered})
			if c.unanswered.Load() == 0 {
				t.Fatal("a compaction that failed counts as one that was answered")
			}
			listener.CompactionEnd(pebble.CompactionInfo{})
		}
		if n := strings.Count(told.String(), "000005.sst"); n != 3*(maxUnanswered-1) {
			t.Errorf("%d warnings name the file:\n%s", n, told.String())
		}
		for range maxUnanswered {
			listener.BackgroundError(unanswered)
		}
		if err := c.err(); err == nil || !strings.Contains(err.Error(), "000005.sst") {
			t.Errorf("the store's failure is %v", err)
		}
	})
}
