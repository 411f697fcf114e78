package sim

import (
	"fmt"
	"maps"
	"slices"
)

// testObject is an object for the self-test of Compare.
type testObject struct {
	ID   string `json:"id,omitempty"`
	Size int    `json:"size"`
}

// undetectedFault tests Compare with known faults and returns which one it fails to find; empty if it finds all. A
// comparison that cannot fail would approve any backend.
func undetectedFault() string {
	l := NewLedger(nil, nil, CompareFaults())
	want := map[string]testObject{"kept": {Size: 1}, "changed": {Size: 2}, "doubled": {Size: 3}, "lost": {Size: 4}}
	got := []testObject{{"kept", 1}, {"changed", 1}, {"doubled", 3}, {"doubled", 3}, {"foreign", 5}}
	Compare(l, "planted object", "planted objects", want, got, func(p testObject) string { return p.ID })
	for _, kind := range slices.Sorted(slices.Values(CompareFaults())) {
		if n := l.faultCounts.n[kind]; n != 1 {
			return fmt.Sprintf("of 1 %s object it finds %d", kind, n)
		}
	}
	if found := slices.Collect(maps.Values(l.matches.n)); len(found) != 1 || found[0] != 2 {
		return fmt.Sprintf("of 2 expected objects it finds %v", found)
	}
	return ""
}
