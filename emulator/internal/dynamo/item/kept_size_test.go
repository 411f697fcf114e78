package item

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/tabletop-db/tabletop/internal/testutil/seeds"
)

// An item that keeps its size has the same size as one that does not, is equal to it and gives the same results.
func TestItemsKeepTheirSize(t *testing.T) {
	t.Parallel()
	seeds.Run(t, 40, func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 0))
		plain := randomValue(r, 3)
		for plain.Type() != Map || plain.Len() == 0 {
			plain = randomValue(r, 3)
		}
		kept := Value(bytes.Clone(plain)).KeepSize()
		if bytes.Equal(kept, plain) {
			t.Fatal("the size is not kept")
		}
		if kept.ItemSize() != plain.ItemSize() || kept.Size() != plain.Size() || kept.Depth() != plain.Depth() ||
			kept.Type() != Map || kept.Len() != plain.Len() {
			t.Errorf("it has size %d (of a value: %d), depth %d, type %v and length %d, want %d (%d), %d, M and %d",
				kept.ItemSize(), kept.Size(), kept.Depth(), kept.Type(), kept.Len(), plain.ItemSize(), plain.Size(),
				plain.Depth(), plain.Len())
		}
		if !Equal(kept, plain) || !Equal(plain, kept) || Equal(kept, Empty) {
			t.Error("it is not equal to the same item, or is equal to another")
		}
		for name, form := range map[string]func(Value) []byte{
			"kept twice":  func(v Value) []byte { return Value(bytes.Clone(v)).KeepSize() },
			"an item":     func(v Value) []byte { return v.AppendItem(nil) },
			"a value":     func(v Value) []byte { return v.AppendJSON(nil) },
			"hashed":      func(v Value) []byte { return v.AppendItemHashed(nil) },
			"changed":     func(v Value) []byte { return v.With("n1", NewInt(1)) },
			"merged":      func(v Value) []byte { return v.Merge([]Entry{{"n1", NewInt(1)}, {Name: "n2"}}) },
			"in a map":    func(v Value) []byte { return Empty.With("item", v) },
			"merged into": func(v Value) []byte { return Empty.Merge([]Entry{{"item", v}}) },
			"in a list":   func(v Value) []byte { return NewList(v, v).WithIndex(1, v) },
			"edited into": func(v Value) []byte { return NewList(NewInt(1)).Edit([]ListChange{{0, v}, {1, v}}) },
		} {
			if got, want := form(kept), form(plain); !bytes.Equal(got, want) {
				t.Errorf("%s it gives\n%s, want\n%s", name, got, want)
			}
		}
	})
	if v := Empty.KeepSize(); v[0] != byte(Map) {
		t.Error("the item that all share is changed")
	}
}
