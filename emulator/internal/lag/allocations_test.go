package lag_test

import (
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/lag"
	"github.com/tabletop-db/tabletop/emulator/internal/poison"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestAViewWithoutLagTakesNoMemory reads a range through a view, as each Query does, and without one.
func TestAViewWithoutLagTakesNoMemory(t *testing.T) {
	if poison.On {
		t.Skip("a poisoned build copies what it lends")
	}
	s, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.View(func(r *store.Reader) error {
		plain := testing.AllocsPerRun(100, func() {
			it := r.Iter(nil, nil, false)
			_ = it.Close()
		})
		through := testing.AllocsPerRun(100, func() {
			view := lag.Stored(r)
			it := view.Iter(nil, nil, false)
			_ = it.Close()
		})
		if through > plain {
			t.Errorf("an iterator takes %v allocations through a view, %v without", through, plain)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
