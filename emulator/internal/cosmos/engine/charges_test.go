package engine

import (
	"math"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// TestExcludedPathsLowerTheWriteCharge checks the charge of a write against the indexing policy: a path that is not
// indexed adds nothing.
func TestExcludedPathsLowerTheWriteCharge(t *testing.T) {
	t.Parallel()
	v, err := doc.Parse([]byte(`{"id":"1","pk":"a","text":"x","tags":["a","b"],"deep":{"n":1}}`))
	if err != nil {
		t.Fatal(err)
	}
	last := math.Inf(1)
	for _, policy := range []string{
		`{}`, `{"includedPaths":[{"path":"/*"}],"excludedPaths":[{"path":"/tags/*"}]}`,
		`{"includedPaths":[{"path":"/text/?"}],"excludedPaths":[{"path":"/*"}]}`, `{"indexingMode":"none"}`,
	} {
		def, problem := define(t, `,"indexingPolicy":`+policy)
		if problem != nil {
			t.Fatal(problem)
		}
		i, problem := NewItem(def, v)
		if problem != nil {
			t.Fatal(problem)
		}
		if charge := ChargeWrite(i); charge >= last {
			t.Errorf("%s: %v RU is not below %v", policy, charge, last)
		} else {
			last = charge
		}
	}
	if last != 5 {
		t.Errorf("without an index: %v RU", last)
	}
}
