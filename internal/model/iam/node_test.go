package iam

import "testing"

// TestPositionsAreCountedFromThePrevious reads positions in and out of order. Text before a known position is not read
// again, so that the time to parse a policy grows with its length only.
func TestPositionsAreCountedFromThePrevious(t *testing.T) {
	t.Parallel()
	r := &jsonReader{data: []byte("{\"é\":\n [1,\n\n\"ü\", 2]}")}
	want := func(offset int, want Position) {
		t.Helper()
		if got := r.position(offset); got != want {
			t.Errorf("byte %d is at %v, want %v", offset, got, want)
		}
	}
	want(0, Position{1, 1})
	want(4, Position{1, 4})
	want(8, Position{2, 2})
	want(13, Position{4, 1})
	want(17, Position{4, 4})
	want(8, Position{2, 2})
	want(100, Position{4, 9})
	r.data[0] = '\n' // which a count from the start would see
	want(100, Position{4, 9})
}
