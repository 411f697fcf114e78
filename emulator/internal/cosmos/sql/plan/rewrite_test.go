package plan

import (
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
)

var arrays = regexp.MustCompile(`\{documentdb-formattablehybridsearchquery-hitcountsarray-\d+\}`)
var numbers = regexp.MustCompile(`\{documentdb-formattablehybridsearchquery-[a-z]+(-\d+)?\}`)

// filled returns a rewritten query with its placeholders replaced, as SDKs send it.
func filled(q string) string {
	q = strings.ReplaceAll(q, Filter, "true")
	return numbers.ReplaceAllString(arrays.ReplaceAllString(q, "[1, 2]"), "7")
}

// rewritten returns all queries of a plan that clients send.
func rewritten(p *Plan) []string {
	if p.Hybrid == nil {
		return []string{p.Info.Rewritten}
	}
	all := []string{p.Hybrid.Statistics}
	for _, c := range p.Hybrid.Components {
		all = append(all, c.Rewritten)
	}
	return all
}

// FuzzPlan checks that the queries of each plan are valid SQL and that the plan itself is valid JSON.
func FuzzPlan(f *testing.F) {
	text, err := os.ReadFile("testdata/baseline.json")
	if err != nil {
		f.Fatal(err)
	}
	var table struct{ Cases []baselineCase }
	if err := json.Unmarshal(text, &table); err != nil {
		f.Fatal(err)
	}
	for _, c := range table.Cases {
		f.Add(c.Query)
	}
	f.Add(`SELECT DISTINCT TOP 3 c["a b"].x, -1 AS m, c["VALUE"] FROM c JOIN t IN c["t"][0] WHERE c.pk IN ('a', "b") ORDER BY c["a b"] DESC, c.y OFFSET @o LIMIT 2`)
	f.Add(`SELECT * FROM c ORDER BY RANK RRF(FullTextScore(c.t, "a", @b), VectorDistance(c.v, [1, 2]), [1, -2])`)
	f.Add(`SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.a FROM c WHERE c.b LIKE 'x!_' ESCAPE '!')`)
	d := &doc.PartitionKeyDefinition{Paths: []string{"/pk", `/"a b"/c`}, Kind: doc.KindMultiHash, Version: 2}
	f.Fuzz(func(t *testing.T, text string) {
		q, err := sql.Parse(text)
		if err != nil {
			return
		}
		p, err := New(&Request{Query: q, Key: d, Parameters: map[string]doc.Value{"@o": doc.Number(1)}})
		if err != nil {
			return
		}
		_, own := sql.Compile(q, sql.Params{})
		for _, r := range rewritten(p) {
			sent, err := sql.Parse(filled(r))
			if err == nil && own == nil {
				_, err = sql.Compile(sent, sql.Params{})
			}
			if r != "" && err != nil && !strings.HasPrefix(code(err), "SC3") { // beyond a limit
				t.Fatalf("%s\nis rewritten to\n%s\n%v", text, r, err)
			}
		}
		if _, err := doc.Parse(p.Append(nil)); err != nil {
			t.Fatalf("%s: %v", p.Append(nil), err)
		}
		_ = p.CheckGateway()
	})
}

func code(err error) string {
	e, ok := err.(*sql.Error)
	if !ok {
		return ""
	}
	return e.Code
}

func TestHybridPlansAreValidQueries(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`SELECT TOP 10 * FROM c ORDER BY RANK FullTextScore(c.text, 'storm', 'sea')`,
		`SELECT c.id, c["a b"] AS x FROM c WHERE c.a > 1 ORDER BY RANK RRF(FullTextScore(c.text, 'storm'), VectorDistance(c.v, [1, 2])) OFFSET 2 LIMIT 3`,
		`SELECT TOP 10 VALUE c.id FROM c ORDER BY RANK RRF(VectorDistance(c.v, @v), FullTextScore(c.text, @w), FullTextScore(c.title, 'sea'), [1, -2, 0.5])`,
	} {
		for _, r := range rewritten(plan(t, text)) {
			q, err := sql.Parse(filled(r))
			if err == nil {
				_, err = sql.Compile(q, sql.Params{})
			}
			if err != nil {
				t.Errorf("%s\n%s\n%v", text, r, err)
			}
		}
	}
}

func TestWeightsHaveAFraction(t *testing.T) {
	t.Parallel()
	p := plan(t, `SELECT TOP 1 * FROM c ORDER BY RANK RRF(FullTextScore(c.t, 'a'), FullTextScore(c.t, 'b'), FullTextScore(c.t, 'c'), [2, -1, 0.5])`)
	if text := string(p.Append(nil)); !strings.Contains(text, `"componentWeights":[2.0,1.0,0.5],`) {
		t.Error(text)
	}
}

// TestLargeHybridPlansAreRejected ranks by so many scores, or by so many terms of a long path, that the plan would take
// gigabytes.
func TestLargeHybridPlansAreRejected(t *testing.T) {
	t.Parallel()
	for _, rank := range []string{
		"RRF(" + strings.Repeat("FullTextScore(c.a, 'b'), ", 500) + "FullTextScore(c.a, 'b'))",
		"FullTextScore(c." + strings.Repeat("a", 10_000) + strings.Repeat(", 'b'", 2000) + ")",
	} {
		q, err := sql.Parse("SELECT * FROM c ORDER BY RANK " + rank)
		if err != nil {
			t.Fatal(err)
		}
		var rejected *Error
		_, err = New(&Request{Query: q, Key: &doc.PartitionKeyDefinition{Paths: []string{"/pk"}, Version: 2}})
		if !errors.As(err, &rejected) || rejected.Code != "SC3009" {
			t.Errorf("%.60s: %v", rank, err)
		}
	}
}
