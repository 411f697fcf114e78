package sim

import (
	"fmt"
	"maps"
	"slices"
)

// planted is an object for the self-test of Compare.
type planted struct {
	ID   string `json:"id,omitempty"`
	Size int    `json:"size"`
}

// overlooked returns which planted fault Compare fails to find; empty if it finds all. A comparison that cannot fail
// would approve any backend.
func overlooked() string {
	l := NewLedger(nil, nil, Faults())
	want := map[string]planted{"kept": {Size: 1}, "changed": {Size: 2}, "doubled": {Size: 3}, "lost": {Size: 4}}
	got := []planted{{"kept", 1}, {"changed", 1}, {"doubled", 3}, {"doubled", 3}, {"foreign", 5}}
	Compare(l, "planted object", "planted objects", want, got, func(p planted) string { return p.ID })
	for _, kind := range slices.Sorted(slices.Values(Faults())) {
		if n := l.wrong.n[kind]; n != 1 {
			return fmt.Sprintf("of 1 %s object it finds %d", kind, n)
		}
	}
	if found := slices.Collect(maps.Values(l.found.n)); len(found) != 1 || found[0] != 2 {
		return fmt.Sprintf("of 2 expected objects it finds %v", found)
	}
	return ""
}
