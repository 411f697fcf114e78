package item

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/internal/testutil/seeds"
)

// randomValue returns a random value; some are so wide that readers index them.
func randomValue(r *rand.Rand, depth int) Value {
	n := r.IntN(4)
	if r.IntN(40) == 0 || depth == 3 {
		n = 30 + r.IntN(400)
	}
	switch kind := r.IntN(8); {
	case depth > 0 && kind < 2:
		v := Empty
		for range n {
			v = v.With(fmt.Sprintf("n%d", r.IntN(600)), randomValue(r, depth-1))
		}
		return v
	case depth > 0 && kind < 4:
		elements := make([]Value, n)
		for i := range elements {
			elements[i] = randomValue(r, depth-1)
		}
		return NewList(elements...)
	case kind == 4:
		members := make([]Value, 0, n)
		for _, i := range r.Perm(600)[:max(1, n)] {
			members = append(members, NewString(fmt.Sprintf("member-%d", i)))
		}
		return NewSet(StringSet, members...)
	}
	return NewInt(int64(r.IntN(10)))
}

// A Reader finds the same as a linear search, and compares in the same way.
func TestReaderFindsTheSameAsValue(t *testing.T) {
	t.Parallel()
	seeds.Run(t, 8, func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 0))
		v := randomValue(r, 3)
		for v.Type() != Map {
			v = randomValue(r, 3)
		}
		reader := Reader{lookups: maxScannedLookups}
		for range 200 {
			at := v
			for at != nil {
				name, i := fmt.Sprintf("n%d", r.IntN(600)), r.IntN(600)-1
				want, _ := at.Field(name)
				if at.Type() == List {
					want, _ = at.Index(i)
				}
				got, ok := reader.Field(at, name)
				if at.Type() == List {
					got, ok = reader.Index(at, i)
				}
				if !bytes.Equal(got, want) || ok != (want != nil) {
					t.Fatalf("%s or %d in %s: %s, want %s", name, i, at.AppendJSON(nil), got.AppendJSON(nil), want.AppendJSON(nil))
				}
				at = want
			}
		}
	})
}

// shuffled returns the value with the members of its sets in another order, which is equal to it.
func shuffled(r *rand.Rand, v Value) Value {
	var parts []Value
	if v.Type().IsSet() || v.Type() == List {
		parts = slices.Collect(v.Elements())
	}
	switch t := v.Type(); {
	case t.IsSet():
		r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		return unsortedSet(t, parts...)
	case t == List:
		for i := range parts {
			parts[i] = shuffled(r, parts[i])
		}
		return NewList(parts...)
	case t == Map:
		made := Empty
		for name, e := range v.Entries() {
			made = made.With(string(name), shuffled(r, e))
		}
		return made
	}
	return v
}

func TestReaderEqualIgnoresSetOrder(t *testing.T) {
	t.Parallel()
	seeds.Run(t, 8, func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		var reader Reader
		values := make([]Value, 12)
		for i := range values {
			values[i] = randomValue(r, 2)
		}
		for i, a := range values {
			if b := shuffled(r, a); !reader.Equal(a, b) || !reader.Equal(b, a) {
				t.Fatalf("%s is not %s", a.AppendJSON(nil), b.AppendJSON(nil))
			}
			for _, b := range values[i:] {
				if got, want := reader.Equal(a, b), string(canonical(a)) == string(canonical(b)); got != want {
					t.Fatalf("%s and %s: %v", a.AppendJSON(nil), b.AppendJSON(nil), got)
				}
			}
		}
	})
}

// canonical returns the value with the members of its sets sorted.
func canonical(v Value) Value {
	if v.Type().IsSet() {
		sorted := Empty
		for m := range v.Elements() {
			sorted = sorted.With(m.Text(), NewNull())
		}
		return append(Value{byte(v.Type())}, sorted...)
	}
	switch v.Type() {
	case List:
		var parts []Value
		for e := range v.Elements() {
			parts = append(parts, canonical(e))
		}
		return append(Value{byte(List), byte(len(parts))}, bytes.Join(asBytes(parts), []byte{0xff})...)
	case Map:
		made := []byte{byte(Map)}
		for name, e := range v.Entries() {
			made = append(append(append(made, name...), 0xff), canonical(e)...)
		}
		return made
	}
	return v
}

func asBytes(values []Value) [][]byte {
	all := make([][]byte, len(values))
	for i, v := range values {
		all[i] = v
	}
	return all
}

// Edit has the same result as one change after the other: elements are set from the first to the last, and then removed
// from the last to the first.
func TestEditEqualsSingleChanges(t *testing.T) {
	t.Parallel()
	seeds.Run(t, 50, func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 2))
		elements := make([]Value, r.IntN(20))
		for i := range elements {
			elements[i] = NewInt(int64(i))
		}
		list := NewList(elements...)
		var changes []ListChange
		for _, i := range r.Perm(25)[:r.IntN(10)] {
			c := ListChange{Index: i, Value: NewString("new")}
			if r.IntN(2) == 0 && i < len(elements) {
				c.Value = nil
			}
			changes = append(changes, c)
		}
		want := list
		for i := range 25 {
			for _, c := range changes {
				if c.Index == i && c.Value != nil {
					want = want.WithIndex(i, c.Value)
				}
			}
		}
		for i := 24; i >= 0; i-- {
			for _, c := range changes {
				if c.Index == i && c.Value == nil {
					want = want.WithoutIndex(i)
				}
			}
		}
		if got := list.Edit(changes); !bytes.Equal(got, want) {
			t.Errorf("%v of %s: %s, want %s", changes, list.AppendJSON(nil), got.AppendJSON(nil), want.AppendJSON(nil))
		}
	})
}

// Comparing one large set with many builds its table only once.
func TestMemberTablesAreCached(t *testing.T) {
	t.Parallel()
	members := make([]Value, 5000)
	for i := range members {
		members[i] = NewString(fmt.Sprint(i))
	}
	set := NewSet(StringSet, members...)
	members[0], members[1] = members[1], members[0]
	other := unsortedSet(StringSet, members...)
	reader := Reader{Budget: budget.New(t.Context(), budget.Limits{})}
	for range 20 {
		if !reader.Equal(set, other) {
			t.Fatal("not equal")
		}
	}
	if len(reader.members) != 1 {
		t.Errorf("%d tables", len(reader.members))
	}
	if steps := reader.Budget.Steps(); steps < 20*int64(len(set)/bytesPerStep) {
		t.Errorf("%d steps", steps)
	}
}
