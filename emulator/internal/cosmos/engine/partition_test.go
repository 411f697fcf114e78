package engine

import (
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

func TestSplitCoversTheKeySpace(t *testing.T) {
	t.Parallel()
	key := &doc.PartitionKeyDefinition{Paths: []string{"/pk"}, Kind: doc.KindHash, Version: 2}
	all := newPartitions(key, 5)
	for n := 6; n <= 23; n++ {
		all = split(key, all, n)
		if len(all) != n || len(all[0].Low) != 0 || string(all[n-1].High) != string(doc.MaxEPK()) {
			t.Fatalf("%d partitions of %d", len(all), n)
		}
		ids := map[string]bool{}
		for i, p := range all {
			if ids[p.ID] = true; i > 0 && string(all[i-1].High) != string(p.Low) {
				t.Fatalf("a gap before %s", p.ID)
			}
		}
		if len(ids) != n {
			t.Fatalf("an id came twice: %v", ids)
		}
	}
}
