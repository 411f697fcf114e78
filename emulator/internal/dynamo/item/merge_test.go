package item

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// Merge has the same result as one change after the other.
func TestMerge(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		old := Empty
		for _, n := range rapid.SliceOf(rapid.IntRange(0, 9)).Draw(t, "entries") {
			old = old.With(fmt.Sprint(n), NewInt(int64(n)))
		}
		want := old
		var changes []Entry
		for n := range 10 {
			name := fmt.Sprint(n)
			switch rapid.IntRange(0, 2).Draw(t, name) {
			case 1:
				changes = append(changes, Entry{name, NewString("new")})
				want = want.With(name, NewString("new"))
			case 2:
				changes = append(changes, Entry{Name: name})
				want = want.Without(name)
			}
		}
		if got := old.Merge(changes); string(got) != string(want) {
			t.Fatalf("%s and %v give %s, want %s", old.AppendItem(nil), changes, got.AppendItem(nil), want.AppendItem(nil))
		}
	})
}
