package cosmos

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	sqlplan "github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/plan"
)

// laterTypes are the type checks in the order of values. To resume after a value, the filters of SDKs name the types
// that follow the value's own.
var laterTypes = []string{"IS_NULL", "IS_BOOLEAN", "IS_NUMBER", "IS_STRING", "IS_ARRAY", "IS_OBJECT"}

// resumeFilter returns the filter with which the .NET SDK resumes at a value of an ascending or a descending path.
func resumeFilter(path string, v doc.Value, descending bool) string {
	at := int(v.Kind()) - 1 // an index of laterTypes; -1 for undefined
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

// TestOrderedQueryResumesWithFilter replaces the placeholder of a rewritten query as SDKs do when they resume from a
// continuation: the partition must return exactly the rows from that value on.
func TestOrderedQueryResumesWithFilter(t *testing.T) {
	t.Parallel()
	_, one := spread(t, newTestService(t), someItems())
	for _, direction := range []string{"", " DESC"} {
		status, plan, _ := one.ask(t, queryBody("SELECT VALUE c.id FROM c ORDER BY c.mixed"+direction),
			"X-Ms-Cosmos-Is-Query-Plan-Request", "True", "X-Ms-Cosmos-Supported-Query-Features", allFeatures)
		if status != http.StatusOK {
			t.Fatal(plan.JSON())
		}
		rewritten := plan.Field("queryInfo").Field("rewrittenQuery").Str()
		rows := func(filter string) []doc.Value {
			return one.drain(t, queryBody(strings.ReplaceAll(rewritten, sqlplan.Filter, filter)),
				"X-Ms-Documentdb-Partitionkeyrangeid", "0")
		}
		all := rows("true")
		for i, row := range all {
			v := row.Field("orderByItems").At(0).Field("item")
			first := slices.IndexFunc(all, func(r doc.Value) bool {
				return doc.Equal(r.Field("orderByItems").At(0).Field("item"), v)
			})
			if first < i {
				continue // of a value already checked
			}
			filter := resumeFilter("c.mixed", v, direction != "")
			if got := rowTexts(rows(filter)); !slices.Equal(got, rowTexts(all[first:])) {
				t.Errorf("%s: %d rows, not %d", filter, len(got), len(all)-first)
			}
		}
	}
}
