package store

import (
	"testing"

	"github.com/tabletop-db/tabletop/internal/await"
)

// A key waits for itself alone. While an update of one key runs for long, as that of a condition on a large item does,
// keys that share its stripe are updated by others.
func TestKeysOfAStripeDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	s := mustOpenMemory(t)
	err := s.Update(Latch([]byte("held")), func(*Tx) error {
		await.End(t, "an update of another key of the stripe", func() { set(t, s, string(sameStripe("held")), "done") })
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	checkIdle(t, s)
}
