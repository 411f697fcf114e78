package item

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestNamesInAnyOrder decodes maps of few and of many names, of which several are equal or begin with the same bytes.
func TestNamesInAnyOrder(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{"a", "b", "attribut", "\x00", "é", "\U0001F600"})
	rapid.Check(t, func(t *rapid.T) {
		var doc []string
		last := map[string]string{}
		for i := range rapid.IntRange(1, 2*fewEntries).Draw(t, "entries") {
			name := strings.Join(rapid.SliceOfN(piece, 1, 4).Draw(t, "name"), "")
			quoted, _ := json.Marshal(name)
			last[name] = strconv.Itoa(i)
			doc = append(doc, string(quoted)+`:{"N":"`+last[name]+`"}`)
		}
		v, err := ParseItem("{" + strings.Join(doc, ",") + "}")
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for name, value := range v.Entries() {
			if names = append(names, string(name)); value.Text() != last[string(name)] {
				t.Fatalf("%q is %s, not %s", name, value.Text(), last[string(name)])
			}
		}
		if !slices.IsSorted(names) || len(names) != len(last) {
			t.Fatalf("%q of %q", names, doc)
		}
	})
}
