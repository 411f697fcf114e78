package engine

import (
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// TestUniqueKeysCompareAsQueriesDo checks that items that a filter finds by the same value cannot both have it.
func TestUniqueKeysCompareAsQueriesDo(t *testing.T) {
	t.Parallel()
	d := &Definition{uniqueKeys: []uniqueKey{{{"n"}}}}
	entry := func(text string) string {
		v, err := doc.Parse([]byte(`{"n":` + text + `}`))
		if err != nil {
			t.Fatal(err)
		}
		return d.uniqueEntries(v)[0]
	}
	for _, equal := range [][2]string{{"9007199254740992", "9007199254740993"}, {"1", "1.0"},
		{"[1e18]", "[1000000000000000001]"}} {
		if entry(equal[0]) != entry(equal[1]) {
			t.Errorf("%s and %s may both be stored", equal[0], equal[1])
		}
	}
	if entry("9007199254740992") == entry("9007199254740994") {
		t.Error("different numbers may not both be stored")
	}
}
