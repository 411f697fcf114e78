package cosmos

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	sqlplan "github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/plan"
)

// laterTypes are the checks of types in the order of values; SDKs name those behind a value's own in the filter by
// which they go on behind it.
var laterTypes = []string{"IS_NULL", "IS_BOOLEAN", "IS_NUMBER", "IS_STRING", "IS_ARRAY", "IS_OBJECT"}

// resumeFilter is the filter by which the SDK for .NET goes on with a value of an ascending path, or a descending one.
func resumeFilter(path string, v doc.Value, descending bool) string {
	at := int(v.Kind()) - 1 // in laterTypes; -1 of undefined
	var parts []string
	if descending {
		parts = append(parts, "NOT IS_DEFINED("+path+")")
		for _, earlier := range laterTypes[:max(at, 0)] {
			parts = append(parts, earlier+"("+path+")")
		}
	} else {
		for _, later := range laterTypes[at+1:] {
			parts = append(parts, later+"("+path+")")
		}
	}
	switch op := map[bool]string{false: " >= ", true: " <= "}[descending]; {
	case v.Defined():
		parts = append(parts, path+op+v.JSON())
	case !descending:
		parts = append(parts, "NOT IS_DEFINED("+path+")")
	}
	return "( " + strings.Join(parts, " OR ") + " )"
}

// TestOrderGoesOnBehindAFilter puts into the placeholder of a rewritten query what SDKs do when they go on from a
// continuation: then the partition gives the rows from that value on, and no others.
func TestOrderGoesOnBehindAFilter(t *testing.T) {
	t.Parallel()
	_, one := spread(t, newDesk(t), someItems())
	for _, direction := range []string{"", " DESC"} {
		status, plan, _ := one.ask(t, queryBody("SELECT VALUE c.id FROM c ORDER BY c.mixed"+direction),
			"X-Ms-Cosmos-Is-Query-Plan-Request", "True", "X-Ms-Cosmos-Supported-Query-Features", allFeatures)
		if status != http.StatusOK {
			t.Fatal(plan.JSON())
		}
		rewritten := plan.Field("queryInfo").Field("rewrittenQuery").Str()
		rows := func(filter string) []doc.Value {
			return one.drain(t, queryBody(strings.ReplaceAll(rewritten, sqlplan.Filter, filter)), "X-Ms-Documentdb-Partitionkeyrangeid", "0")
		}
		all := rows("true")
		for i, row := range all {
			v := row.Field("orderByItems").At(0).Field("item")
			first := slices.IndexFunc(all, func(r doc.Value) bool { return doc.Equal(r.Field("orderByItems").At(0).Field("item"), v) })
			if first < i {
				continue // of a value that was looked at
			}
			filter := resumeFilter("c.mixed", v, direction != "")
			if got := rowTexts(rows(filter)); !slices.Equal(got, rowTexts(all[first:])) {
				t.Errorf("%s: %d rows, not %d", filter, len(got), len(all)-first)
			}
		}
	}
}
