package sql

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// guards are queries of hostileItem for which nearly all work, or all memory, is counted in one place, with the minimum
// to be counted. Thus a place that fails to count is detected without a hostile query that takes minutes.
var guards = map[string]struct {
	query        string
	steps, bytes int64
}{
	"steps of ||":                 {query: "SELECT VALUE 1 FROM c WHERE c.long || c.long = null", steps: 12_500},
	"bytes of ||":                 {query: "SELECT VALUE 1 FROM c WHERE c.long || c.long = null", bytes: 200_000},
	"steps of a function's texts": {query: "SELECT VALUE 1 FROM c WHERE LENGTH(c.long) = null", steps: 6260},
	"bytes of a function's text":  {query: "SELECT VALUE 1 FROM c WHERE UPPER(c.long) = null", bytes: 100_000},
	"steps of a user function":    {query: "SELECT VALUE 1 FROM c WHERE udf.f(1) = null", steps: 2010},
	"steps of a user function's arguments": {query: "SELECT VALUE 1 FROM c WHERE udf.f(c.many, c.long) = null",
		steps: 58_000},
	"bytes of a user function's arguments": {query: "SELECT VALUE 1 FROM c WHERE udf.f(c.long) = null", bytes: 200_000},
	"bytes of a user function's results": {
		query: "SELECT VALUE 1 FROM c WHERE ARRAY(SELECT VALUE udf.wide(x) FROM x IN c.a) = null", bytes: 300 * 8000},
	"steps of a wide object": {query: "SELECT VALUE 1 FROM c WHERE c.wide.p1 = null", steps: 2510},
	"bytes of an array": {query: "SELECT VALUE 1 FROM c WHERE [" + strings.Repeat("1,", 4000) + "1] = null",
		bytes: 320_000},
	"bytes of an object": {query: "SELECT VALUE 1 FROM c WHERE {" + properties(4000) + "} = null",
		bytes: 384_000},
	"steps of a row that is made": {query: "SELECT VALUE [c.long] FROM c", steps: 7510},
	"steps of a gathered value":   {query: "SELECT VALUE ARRAY_LENGTH(MAKELIST(c.many)) FROM c", steps: 50_000},
	"bytes of gathered values": {query: "SELECT VALUE ARRAY_LENGTH(MAKELIST(x)) FROM c JOIN x IN c.many",
		bytes: 4_010_000},
	"steps of a group's key": {query: "SELECT VALUE COUNT(1) FROM c GROUP BY c.long", steps: 6260},
	"bytes of groups": {query: "SELECT VALUE COUNT(1) FROM c JOIN x IN c.many GROUP BY x",
		bytes: 24_500_000},
	"steps of a group's key with a long name": {
		query: "SELECT VALUE COUNT(1) FROM c GROUP BY {'" + strings.Repeat("x", 100_000) + "': 1}", steps: 6260},
	"bytes of a group's key":  {query: "SELECT VALUE COUNT(1) FROM c GROUP BY c.many", bytes: 4_000_000},
	"bytes of gathered parts": {query: "SELECT VALUE ARRAY_LENGTH(MAKELIST(c.many)) FROM c", bytes: 4_000_000},
	"steps of LIKE":           {query: "SELECT VALUE 1 FROM c WHERE c.long LIKE '%y'", steps: 100_000},
	"steps of LIKE with a set": {query: "SELECT VALUE 1 FROM c WHERE c.long LIKE '%[" + strings.Repeat("y", 100) + "]'",
		steps: 10_000_000},
	"steps of a LIKE pattern":            {query: "SELECT VALUE 1 FROM c WHERE c.id LIKE c.long", steps: 100_000},
	"bytes of a LIKE pattern":            {query: "SELECT VALUE 1 FROM c WHERE c.id LIKE c.long", bytes: 4_000_000},
	"steps of equal texts":               {query: "SELECT VALUE 1 FROM c WHERE c.long != c.long", steps: 6260},
	"steps of equal arrays":              {query: "SELECT VALUE 1 FROM c WHERE c.many != c.many", steps: 50_000},
	"steps of equal arrays on the right": {query: "SELECT VALUE 1 FROM c WHERE [] = c.many", steps: 50_000},
	"steps of an order of texts":         {query: "SELECT VALUE 1 FROM c WHERE c.long < c.long", steps: 6260},
	"steps of joined rows":               {query: "SELECT VALUE COUNT(1) FROM c JOIN x IN c.many", steps: 400_000},
	"bytes of a FROM subquery": {query: "SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE x FROM c JOIN x IN c.many) y",
		bytes: 12_200_000},
	"bytes of a page": {query: "SELECT VALUE x FROM c JOIN x IN c.many", bytes: 4_000_000},
	"steps of a page": {query: "SELECT VALUE c.many FROM c", steps: 50_000},
	"steps of a sort": {query: "SELECT VALUE c.many FROM c ORDER BY c.id", steps: 100_000},
	"bytes of a sort": {query: "SELECT VALUE x FROM c JOIN x IN c.many ORDER BY c.id OFFSET 49999 LIMIT 1",
		bytes: 16_400_000},
	"steps of DISTINCT": {query: "SELECT VALUE COUNT(1) FROM c WHERE EXISTS(SELECT DISTINCT VALUE c.many)",
		steps: 50_000},
	"bytes of DISTINCT": {
		query: "SELECT VALUE 1 FROM c WHERE ARRAY(SELECT DISTINCT VALUE x FROM x IN c.many) = null", bytes: 12_200_000},
	"steps of DISTINCT with ORDER": {query: "SELECT DISTINCT VALUE c.many FROM c ORDER BY c.id", steps: 150_000},
	"bytes of DISTINCT with ORDER": {
		query: "SELECT DISTINCT VALUE x FROM c JOIN x IN c.many ORDER BY c.id OFFSET 49999 LIMIT 1", bytes: 24_600_000},
	"bytes of ARRAY": {query: "SELECT VALUE 1 FROM c WHERE ARRAY(SELECT VALUE x FROM x IN c.many) = null",
		bytes: 4_010_000},
	"steps of words": {query: "SELECT VALUE 1 FROM c WHERE FULLTEXTCONTAINS(c.long, 'y') = null",
		steps: 406_000},
	"bytes of words": {query: "SELECT VALUE 1 FROM c WHERE FULLTEXTCONTAINS(c.long, 'y') = null",
		bytes: 100_000},
	"steps of a term": {query: "SELECT VALUE 1 FROM c WHERE FULLTEXTCONTAINS(c.words, 'y') = null",
		steps: 406_000},
	"steps of a fuzzy term": {
		query: "SELECT VALUE 1 FROM c WHERE FULLTEXTCONTAINS(c.words, {'term': 'lorex', 'distance': 1}) = null",
		steps: 502_000},
	"steps of ARRAY_CONCAT": {query: "SELECT VALUE 1 FROM c WHERE ARRAY_CONCAT(c.many, c.many) = null",
		steps: 200_000},
	"bytes of ARRAY_CONCAT": {query: "SELECT VALUE 1 FROM c WHERE ARRAY_CONCAT(c.many, c.many) = null",
		bytes: 8_000_000},
	"steps of ARRAY_CONTAINS": {query: "SELECT VALUE 1 FROM c WHERE ARRAY_CONTAINS(c.many, c.a) = null",
		steps: 15_100_000},
	"bytes of OBJECTTOARRAY":       {query: "SELECT VALUE 1 FROM c WHERE OBJECTTOARRAY(c.wide) = null", bytes: 5_440_000},
	"steps of a text that is read": {query: "SELECT VALUE 1 FROM c WHERE STRINGTOARRAY(c.long) = null", steps: 206_000},
	"bytes of a text that is read": {query: "SELECT VALUE 1 FROM c WHERE STRINGTOARRAY(c.long) = null", bytes: 2_600_000},
	"steps of a text that is made": {query: "SELECT VALUE 1 FROM c WHERE TOSTRING([c.many, c.many]) = null",
		steps: 100_000},
	"steps of a match":   {query: "SELECT VALUE 1 FROM c WHERE REGEXMATCH(c.long, 'y') = null", steps: 31_300},
	"steps of a pattern": {query: "SELECT VALUE 1 FROM c WHERE REGEXMATCH('', 'y{999}') = null", steps: 40_000},
	"steps of CONTAINS_ANY": {query: "SELECT VALUE 1 FROM c WHERE CONTAINS_ANY_CI(c.long" + strings.Repeat(", 'y'",
		50) + ") = null", steps: 325_000},
	"steps of the parts of a set": {query: "SELECT VALUE 1 FROM c WHERE SETUNION([c.many], [c.many]) = null",
		steps: 100_000},
	"steps of the elements of sets": {query: "SELECT VALUE 1 FROM c WHERE SETUNION(c.many, c.many) = null",
		steps: 1_800_000},
	"bytes of sets": {query: "SELECT VALUE 1 FROM c WHERE SETUNION(c.many, c.many) = null", bytes: 16_000_000},
	"steps of a wide element": {query: "SELECT VALUE 1 FROM c WHERE ARRAY_CONTAINS([c.wide], {a: 1}) = null",
		steps: 20_000},
	"steps of a partly equal element": {
		query: "SELECT VALUE 1 FROM c WHERE ARRAY_CONTAINS([c.wide], c.wide, true) = null", steps: 50_000_000},
	"steps of the largest element": {query: "SELECT VALUE 1 FROM c WHERE ARRAY_MAX([c.long, c.long]) = null",
		steps: 12_500},
	"bytes of scalar subqueries": {
		query: "SELECT VALUE 1 FROM c WHERE [(SELECT VALUE UPPER(c.long)), (SELECT VALUE UPPER(c.long))] = null",
		bytes: 200_000},
	"bytes of FIRST": {
		query: "SELECT VALUE 1 FROM c WHERE [FIRST(SELECT VALUE UPPER(c.long)), LAST(SELECT VALUE UPPER(c.long))] = null",
		bytes: 200_000},
	"steps of DISTINCT groups": {query: "SELECT DISTINCT VALUE [c.many] FROM c GROUP BY c.many, c.long",
		steps: 150_000},
	"bytes of undefined elements": {query: "SELECT VALUE 1 FROM c WHERE EXISTS(SELECT DISTINCT VALUE [c.many, c.none])",
		bytes: 4_000_000},
	"steps of STRINGSPLIT": {query: "SELECT VALUE 1 FROM c WHERE STRINGSPLIT(c.long, 'x') = null", steps: 406_000},
	"bytes of STRINGSPLIT": {query: "SELECT VALUE 1 FROM c WHERE STRINGSPLIT(c.long, 'x') = null", bytes: 9_600_000},
	"steps of REPLACE":     {query: "SELECT VALUE 1 FROM c WHERE REPLACE(c.long, 'x', 'yy') = null", steps: 106_000},
	"steps of shapes":      {query: "SELECT VALUE 1 FROM c WHERE ST_ISVALID(c.area) = null", steps: 4_510_000},
}

// properties returns n properties of an object, as a query writes them.
func properties(n int) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf("p%d: 1", i)
	}
	return strings.Join(parts, ", ")
}

// TestEachLimitIsEnforced checks that each place where a query works or holds memory counts it.
func TestEachLimitIsEnforced(t *testing.T) {
	t.Parallel()
	item := hostileItem(t)
	for name, g := range guards {
		b := budget.New(t.Context(), Limits(nil))
		_, err := hostileProgram(t, g.query).Run(t.Context(), documentsOf([]doc.Value{item}, nil), nil, Options{Budget: b})
		if err != nil || b.Steps() < g.steps || b.Peak() < g.bytes {
			t.Errorf("%s: %v; %d steps of at least %d, and %d bytes of at least %d", name, err, b.Steps(), g.steps,
				b.Peak(), g.bytes)
		}
		b.Close()
	}
}

// TestRowLimits checks that values and rows beyond the limits fail the query, whatever its budget.
func TestRowLimits(t *testing.T) {
	t.Parallel()
	item := hostileItem(t)
	for query, want := range map[string]string{
		"SELECT VALUE [" + strings.Repeat("c.long, ", 400) + "1] FROM c": "a row",
		"SELECT VALUE 1 FROM c WHERE [" + strings.Repeat("c.many, ", 100) + "1] = [" + strings.Repeat("c.many, ", 100) +
			"1]": "holds more",
		"SELECT VALUE 1 FROM c WHERE ARRAY(SELECT VALUE 1 FROM x IN c.many JOIN y IN c.a) = null": "rows",
	} {
		b := budget.New(t.Context(), budget.Limits{})
		var refused *Error
		_, err := hostileProgram(t, query).Run(t.Context(), documentsOf([]doc.Value{item}, nil), nil, Options{Budget: b})
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want %q", query, err, want)
		}
	}
}
