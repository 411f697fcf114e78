package dbtest

import (
	"testing"

	"github.com/tabletop-db/tabletop/emulator/invariants"
)

// Databases are where invariants are checked.
type Databases = invariants.Databases

// CheckInvariants checks the invariants of a system, the text of its invariants.yaml, in databases. Nothing must write
// meanwhile.
func CheckInvariants(t testing.TB, text []byte, in Databases) {
	t.Helper()
	set, err := invariants.Parse("invariants.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	breaks, err := set.Check(t.Context(), in)
	if err != nil {
		t.Error(err)
	}
	for _, b := range breaks {
		t.Error(b)
	}
}
