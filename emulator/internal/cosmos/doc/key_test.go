package doc_test

import (
	"bytes"
	"cmp"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// someValue generates values of all kinds that are close to one another.
func someValue(depth int) *rapid.Generator[doc.Value] {
	return rapid.Custom(func(t *rapid.T) doc.Value {
		kinds := 5
		if depth > 0 {
			kinds = 7
		}
		switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
		case 1:
			return doc.NullValue()
		case 2:
			return doc.Bool(rapid.Bool().Draw(t, "bool"))
		case 3:
			return doc.Number(rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, -1, 1.5, -1.5, 1e300, -1e300, 5e-324,
				9007199254740993}).Draw(t, "number"))
		case 4:
			return doc.String(rapid.SampledFrom([]string{"", "a", "a\x00", "a\x00b", "ab", "b", "é", strings.Repeat("x", 40),
				strings.Repeat("x", 41)}).Draw(t, "text"))
		case 5:
			return doc.Array(rapid.SliceOfN(someValue(depth-1), 0, 3).Draw(t, "list")...)
		case 6:
			v := doc.Object()
			for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"", "a", "b", "ab"}), 0,
				3, func(s string) string {
					return s
				}).Draw(t, "names") {
				v = v.With(name, someValue(depth-1).Draw(t, name))
			}
			return v
		}
		return doc.Value{}
	})
}

func TestKeyOrderMatchesValueOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := someValue(2).Draw(t, "a"), someValue(2).Draw(t, "b")
		limit := rapid.IntRange(1, 200).Draw(t, "limit")
		x, exactX := doc.AppendKey(nil, a, limit)
		y, exactY := doc.AppendKey(nil, b, limit)
		got, want := bytes.Compare(x, y), doc.Compare(a, b)
		if got != want && (got != 0 || exactX || exactY) {
			t.Fatalf("%s and %s within %d: %d, of the values %d", a.JSON(), b.JSON(), limit, got, want)
		}
		if len(x) > limit+2 {
			t.Fatalf("%d bytes of %d", len(x), limit)
		}
		doc.InvertKey(x)
		doc.InvertKey(y)
		if turned := bytes.Compare(x, y); turned != -got {
			t.Fatalf("the other way round: %d, not %d", turned, -got)
		}
	})
}

func TestStringsWithAPrefixAreAdjacent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SampledFrom([]string{"", "a", "a\x00", "ab", "abc", "b", "ab\x00c", strings.Repeat("x", 60)})
		text, prefix := texts.Draw(t, "text"), texts.Draw(t, "prefix")
		limit := rapid.IntRange(2, 80).Draw(t, "limit")
		key, exact := doc.AppendKey(nil, doc.String(text), limit)
		found := bytes.HasPrefix(key, doc.AppendPrefixKey(nil, prefix, limit))
		if want := strings.HasPrefix(text, prefix); want && !found || found && !want && exact && len(prefix) < limit-1 {
			t.Fatalf("%q in %q within %d: %t", prefix, text, limit, found)
		}
	})
}

func TestKindKeysSeparateTypes(t *testing.T) {
	t.Parallel()
	all := []doc.Value{{}, doc.NullValue(), doc.Bool(true), doc.Number(1), doc.String("a"), doc.Array(), doc.Object()}
	for i, v := range all {
		key, _ := doc.AppendKey(nil, v, 100)
		for j, other := range all {
			if got := cmp.Compare(bytes.Compare(doc.KindKey(other.Kind()), key), 0); i < j && got <= 0 || i >= j && got > 0 {
				t.Errorf("%s against %s: %d", v.Kind(), other.Kind(), got)
			}
		}
	}
}
