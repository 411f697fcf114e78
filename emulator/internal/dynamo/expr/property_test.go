package expr

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// formula is a condition with its text and its value. A higher level means that its operator binds less tightly: 0 a
// test, 1 NOT, 2 AND, 3 OR.
type formula struct {
	text  string
	truth bool
	level int
}

func (f formula) within(level int) string {
	if f.level > level {
		return "(" + f.text + ")"
	}
	return f.text
}

// formulas draws conditions on the attributes t0 to t3, which exist, and f0 to f3, which do not.
func formulas(depth int) *rapid.Generator[formula] {
	return rapid.Custom(func(t *rapid.T) formula {
		kind := rapid.IntRange(0, 4).Draw(t, "kind")
		if depth == 0 || kind == 0 {
			name := rapid.SampledFrom([]string{"t", "f"}).Draw(t, "name")
			return formula{fmt.Sprintf("attribute_exists(%s%d)", name, rapid.IntRange(0, 3).Draw(t, "n")), name == "t", 0}
		}
		a := formulas(depth-1).Draw(t, "a")
		if kind == 1 {
			return formula{"not " + a.within(1), !a.truth, 1}
		}
		b := formulas(depth-1).Draw(t, "b")
		if kind == 2 {
			return formula{a.within(3) + " Or " + b.within(3), a.truth || b.truth, 3}
		}
		return formula{a.within(2) + "\tAND " + b.within(2), a.truth && b.truth, 2}
	})
}

// A condition with a minimum of parentheses has the same value.
func TestPrecedence(t *testing.T) {
	t.Parallel()
	it := item.Empty
	for i := range 4 {
		it = it.With(fmt.Sprintf("t%d", i), item.NewNull())
	}
	rapid.Check(t, func(t *rapid.T) {
		f := formulas(5).Draw(t, "formula")
		c, err := ParseCondition(ConditionExpression, f.text, nil)
		if err != nil {
			t.Fatalf("%s: %v", f.text, err)
		}
		if matches(c, it) != f.truth {
			t.Fatalf("%s is not %v", f.text, f.truth)
		}
	})
}

// Many actions on maps in one update have the same result as one after the other.
func TestActionsAreIndependent(t *testing.T) {
	t.Parallel()
	old := parseItem(t, `{"a":{"N":"1"},"m":{"M":{"x":{"N":"2"},"y":{"M":{"z":{"N":"3"}}}}},"n":{"N":"4"}}`)
	targets := []string{"a", "b", "m.x", "m.w", "m.y.z", "m.y.v", "o"}
	rapid.Check(t, func(t *rapid.T) {
		var set, remove []string
		want := old
		for _, target := range rapid.Permutation(targets).Draw(t, "targets")[:rapid.IntRange(2, 7).Draw(t, "count")] {
			if rapid.Bool().Draw(t, target) {
				set = append(set, target+" = n")
				want = applied(t, "SET "+target+" = n", want)
			} else {
				remove = append(remove, target)
				want = applied(t, "REMOVE "+target, want)
			}
		}
		var sections []string
		if set != nil {
			sections = append(sections, "SET "+strings.Join(set, ", "))
		}
		if remove != nil {
			sections = append(sections, "REMOVE "+strings.Join(remove, ", "))
		}
		src := strings.Join(sections, " ")
		if got := applied(t, src, old); string(got) != string(want) {
			t.Fatalf("%s leaves %s, want %s", src, got.AppendItem(nil), want.AppendItem(nil))
		}
	})
}

func applied(t *rapid.T, src string, it item.Value) item.Value {
	u, err := ParseUpdate(src, nil)
	if err == nil {
		it, err = u.Apply(it, nil)
	}
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return it
}
