package main

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tabletop-db/tabletop/features/mutants"
)

// TestSamplesFollowTheirSeedAndCoverTheList checks that the sample of a commit is always the same, and that over many
// commits the samples cover the whole list.
func TestSamplesFollowTheirSeedAndCoverTheList(t *testing.T) {
	t.Parallel()
	var all []mutants.Mutant
	for i := range 50 {
		all = append(all, mutants.Mutant{ID: fmt.Sprintf("m%02d", i)})
	}
	tried := map[string]bool{}
	for seed := range uint64(20) {
		first, err := selection{sample: 20, seed: seed}.apply(all)
		if err != nil {
			t.Fatal(err)
		}
		again, err := selection{sample: 20, seed: seed}.apply(all)
		if err != nil {
			t.Fatal(err)
		}
		ids := func(of []mutants.Mutant) (all []string) {
			for _, m := range of {
				all = append(all, m.ID)
			}
			return all
		}
		if len(first) != 20 || !slices.Equal(ids(first), ids(again)) || !slices.IsSorted(ids(first)) {
			t.Errorf("seed %d chooses %v, and then %v", seed, ids(first), ids(again))
		}
		for _, m := range first {
			tried[m.ID] = true
		}
	}
	if len(tried) != len(all) {
		t.Errorf("20 seeds try %d of %d", len(tried), len(all))
	}
}

func TestOnlySelectsMatchingMutants(t *testing.T) {
	t.Parallel()
	all := []mutants.Mutant{{ID: "seal-lost", Breaks: "VR-R5.seal", File: "a.go"}, {ID: "other", Breaks: "KF-R5.retry",
		File: "kefir/b.go", Kind: "concurrency"}}
	for pattern, want := range map[string]int{"": 2, "seal": 1, `R5`: 2, "kefir/": 1, "concurrency": 1} {
		if got, err := (selection{only: pattern}).apply(all); err != nil || len(got) != want {
			t.Errorf("%q chooses %d: %v", pattern, len(got), err)
		}
	}
	for _, pattern := range []string{"nothing", "("} {
		if got, err := (selection{only: pattern}).apply(all); err == nil {
			t.Errorf("%q chooses %v", pattern, got)
		}
	}
}
