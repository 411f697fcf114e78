package engine

import (
	"errors"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// TestIndexIsUnusableBeforeItsEntriesAreDeleted holds that no query reads an index of which the store has no entries
// any more: it would return too few rows. When the functions of OnCommit run, every new snapshot is without them.
func TestIndexIsUnusableBeforeItsEntriesAreDeleted(t *testing.T) {
	t.Parallel()
	state, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer state.Close()
	container, err := doc.Parse([]byte(`{"id":"c","indexingPolicy":{"indexingMode":"none"}}`))
	if err != nil {
		t.Fatal(err)
	}
	policy, refused := index.ParsePolicy(container)
	if refused != nil {
		t.Fatal(refused)
	}
	stop := errors.New("the change of the container fails")
	for _, fails := range []error{stop, nil} {
		c := &Container{Number: 1}
		x := &index.Index{Number: 1, Spec: index.Spec{Paths: index.Composite{{Steps: []doc.PathStep{{Name: "city"}}}}}}
		c.Indexes.Add(x)
		err := state.Update(store.Latch(), func(tx *store.Tx) error {
			tx.OnCommit(func() {
				if x.Usable() {
					t.Error("the entries are deleted, and queries may read the index")
				}
			})
			return errors.Join(c.dropExcludedIndexes(tx, policy), fails)
		})
		if !errors.Is(err, fails) || x.Usable() != (fails != nil) {
			t.Errorf("the change ends with %v; usable: %v", err, x.Usable())
		}
	}
}
