package wire_test

import (
	"errors"
	"testing"

	"github.com/tabletop-db/tabletop/features/wire"
)

// TestUnusedArrangementsAreCounted arranges what never happens, and what does: only the first are counted.
func TestUnusedArrangementsAreCounted(t *testing.T) {
	t.Parallel()
	client, rec, _, _ := newClient(t)
	respondTo := func(operation string) wire.Substitute {
		return func(sent string, _ any) (any, error, bool) { return nil, errors.New("refused"), sent == operation }
	}
	inspected := 0
	rec.AddInspector(func(string, any) { inspected++ })
	rec.HoldCalls("GetItem", "", 1)
	rec.HoldCalls("PutItem", "", 2)
	rec.AddSubstitute(respondTo("PutItem"))
	if err := getItem(client); err != nil {
		t.Fatal(err)
	}
	rec.AddSubstitute(respondTo("GetItem"))
	if unused, holds := rec.UnusedSubstitutes(), rec.PendingHolds(); unused != 2 || holds != 1 || inspected != 1 {
		t.Errorf("%d substitutes unused, %d holds pending, %d calls inspected", unused, holds, inspected)
	}
	if err := getItem(client); err == nil || rec.UnusedSubstitutes() != 1 {
		t.Errorf("%v; %d substitutes unused", err, rec.UnusedSubstitutes())
	}
}
