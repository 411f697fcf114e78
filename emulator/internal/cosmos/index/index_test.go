package index

import (
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// TestIndexesOfQueriesThatAreInvalidTodayAreRead reads an index on a computed property that was accepted when the rules
// were less strict: its container must still load.
func TestIndexesOfQueriesThatAreInvalidTodayAreRead(t *testing.T) {
	t.Parallel()
	for query, valid := range map[string]bool{"SELECT VALUE AGO('day', 1) > c.at FROM c": true, "SELECT": false} {
		v := doc.Object(doc.Member{Name: "parts", Value: doc.Array(doc.Object(
			doc.Member{Name: "path", Value: doc.Array(doc.String("cp"))},
			doc.Member{Name: "query", Value: doc.String(query)}))})
		x, err := Parse(1, v)
		if valid != (err == nil) || valid && x.Spec.Paths[0].Computed.Query != query {
			t.Errorf("%s: %v", query, err)
		}
	}
}
