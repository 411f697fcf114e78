package store

import (
	"testing"

	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// Each key has its own latch. During a long update of one key, as with a condition on a large item, other keys of its
// stripe can be updated.
func TestKeysOfAStripeDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	s := mustOpenMemory(t)
	err := s.Update(Latch([]byte("held")), func(*Tx) error {
		await.Return(t, "an update of another key of the stripe", func() { set(t, s, string(sameStripe("held")), "done") })
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	checkIdle(t, s)
}
