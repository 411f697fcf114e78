package advice

import (
	"iter"
	"maps"
	"slices"
)

// ordered returns the entries of a map in the order of their keys, so that the same recording has the same report.
func ordered[V any](m map[string]V) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if !yield(key, m[key]) {
				return
			}
		}
	}
}
