package main

import (
	"maps"
	"slices"
)

// maxAttempts bounds the work for one difference.
const maxAttempts = 400

// shrink returns a difference of the same kind with fewer requests and fewer members.
func (c *comparison) shrink(d *difference) *difference {
	kind, attempts := d.kind(), 0
	try := func(history []request) bool {
		if attempts++; attempts > maxAttempts {
			return false
		}
		found, err := c.round(history)
		if err != nil || found == nil || found.kind() != kind {
			return false
		}
		d = found
		return true
	}
	for i := 0; i < len(d.history)-1; {
		if !try(slices.Delete(slices.Clone(d.history), i, i+1)) {
			i++
		}
	}
	for i := len(d.history) - 1; i >= 0 && i < len(d.history); i-- {
		for again := true; again; {
			again = false
			for smaller := range without(d.history[i].body) {
				history := slices.Clone(d.history)
				history[i].body = smaller
				if !losesInDynamoDBLocal(smaller) && try(history) {
					again = true
					break
				}
			}
		}
	}
	return d
}

// without yields copies of a value, each without one member or element, the outermost first.
func without(v any) func(yield func(any) bool) {
	return func(yield func(any) bool) {
		switch v := v.(type) {
		case object:
			names := slices.Sorted(maps.Keys(v))
			for _, name := range names {
				smaller := maps.Clone(v)
				delete(smaller, name)
				if !yield(smaller) {
					return
				}
			}
			for _, name := range names {
				for member := range without(v[name]) {
					smaller := maps.Clone(v)
					smaller[name] = member
					if !yield(smaller) {
						return
					}
				}
			}
		case []any:
			for i := range v {
				if !yield(slices.Delete(slices.Clone(v), i, i+1)) {
					return
				}
			}
			for i := range v {
				for element := range without(v[i]) {
					smaller := slices.Clone(v)
					smaller[i] = element
					if !yield(smaller) {
						return
					}
				}
			}
		case string:
			for _, shorter := range shorterStrings(v) {
				if !yield(shorter) {
					return
				}
			}
		}
	}
}

// shorterStrings returns parts of a long string, such as an expression with clauses that do not matter.
func shorterStrings(s string) []any {
	if len(s) < 8 {
		return nil
	}
	return []any{s[:len(s)/2], s[len(s)/2:], s[1:], s[:len(s)-1]}
}
