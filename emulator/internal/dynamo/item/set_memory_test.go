package item

import (
	"runtime"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/jsonread"
)

// TestLargeSetsTakeLittleMemory decodes sets of very many short members: the members that are sorted, and the error
// about a repeated one, take no more than a few times the memory of their JSON. It runs alone, because it counts all
// allocations of the process.
func TestLargeSetsTakeLittleMemory(t *testing.T) {
	const members, most = maxListed + 1, 12 // times the JSON
	for name, set := range map[string]string{
		"strings":  `{"SS":[` + strings.Repeat(`"",`, members) + `""]}`,
		"numbers":  `{"NS":[` + strings.Repeat(`"1",`, members) + `"1"]}`,
		"binaries": `{"BS":[` + strings.Repeat(`"",`, members) + `""]}`,
	} {
		for _, legacy := range []bool{false, true} {
			d := Decoder{LegacyErrors: legacy}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r, err := jsonread.New([]byte(set))
			if err == nil {
				_, err = d.Value(&r)
			}
			invalid := d.Err()
			runtime.ReadMemStats(&after)
			if err != nil || invalid == nil || !strings.Contains(invalid.Error(), "Input collection") ||
				!strings.Contains(invalid.Error(), "contains duplicates") {
				t.Errorf("%s: %v, %.100v", name, err, invalid)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > most*uint64(len(set)) {
				t.Errorf("%s: %d bytes, %d times their JSON", name, took, took/uint64(len(set)))
			}
		}
	}
}

// TestDuplicatesOfALargeSetAreListed: an item can have a set of this size without the duplicate.
func TestDuplicatesOfALargeSetAreListed(t *testing.T) {
	t.Parallel()
	member := strings.Repeat("x", maxListed/2-3)
	_, err := ParseItem(`{"set":{"SS":["` + member + `","` + member + `"]}}`)
	want := invalidParameters + `Input collection ["` + member + `", "` + member + `"] contains duplicates.`
	if err == nil || err.Error() != want {
		t.Errorf("the error is %.100v", err)
	}
}
