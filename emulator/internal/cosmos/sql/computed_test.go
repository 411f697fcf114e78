package sql

import (
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// TestComputedProperties checks the rules of "Computed properties in Azure Cosmos DB for NoSQL".
func TestComputedProperties(t *testing.T) {
	t.Parallel()
	computed := map[string]*Computed{}
	for name, query := range map[string]string{
		"cp_lowerName": "SELECT VALUE LOWER(c.name) FROM c",
		"cp_discount":  "SELECT VALUE (c.price * 0.2) FROM root AS x JOIN c",
		"cp_parts":     "SELECT VALUE [c.name, {n: c.price}] FROM products c",
		"name2":        "SELECT VALUE c.cp_lowerName FROM c",
		"cp_none":      "SELECT VALUE LOWER(c.none) FROM c",
	} {
		one, err := NewComputed(name, strings.ReplaceAll(query, "root AS x JOIN c", "root c"), 0)
		if err != nil {
			t.Fatal(err)
		}
		computed[name] = one
	}
	docs := parseLines(t, `{"id":"1","name":"Blue","price":100,"cp_lowerName":"stored"}
{"id":"2","name":"Red","price":400}`)
	if v := computed["cp_lowerName"].Evaluate(docs[0]); v.Str() != "blue" {
		t.Error(v.JSON())
	}
	for query, want := range map[string]string{
		`SELECT p.cp_lowerName FROM p`:                                            `[{"cp_lowerName":"blue"},{"cp_lowerName":"red"}]`,
		`SELECT VALUE p.price - p["cp_discount"] FROM p WHERE p.cp_discount < 50`: `[80]`,
		`SELECT COUNT(1) AS n, c.cp_lowerName FROM c GROUP BY c.cp_lowerName`:     `[{"n":1,"cp_lowerName":"blue"},{"n":1,"cp_lowerName":"red"}]`,
		`SELECT VALUE c.id FROM c ORDER BY c.cp_lowerName DESC`:                   `["2","1"]`,
		`SELECT VALUE c.cp_parts[1].n FROM c`:                                     `[100,400]`,
		`SELECT VALUE x.n FROM c JOIN x IN c.cp_parts WHERE IS_OBJECT(x)`:         `[100,400]`,
		`SELECT VALUE COUNT(1) FROM c.cp_none`:                                    `[0]`,
		`SELECT VALUE c.id FROM c JOIN c.cp_none`:                                 `[]`,
		`SELECT VALUE COUNT(1) FROM c.cp_lowerName`:                               `[2]`,
		`SELECT VALUE c.name2 FROM c`:                                             `["stored"]`,
		`SELECT * FROM c WHERE c.cp_lowerName = "red"`:                            `[{"id":"2","name":"Red","price":400}]`,
		`SELECT VALUE x.cp_lowerName FROM c JOIN x IN [c]`:                        ``,
		`SELECT VALUE EXISTS(SELECT VALUE 1 FROM x IN c.cp_parts) FROM c`:         `[true,true]`,
	} {
		q, err := Parse(query)
		if err != nil {
			if want != "" {
				t.Error(err)
			}
			continue
		}
		p, err := Compile(q, Params{Computed: computed})
		if err != nil {
			t.Fatal(query, err)
		}
		page, err := p.Run(t.Context(), documentsOf(docs, nil), nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := doc.Array(page.Rows...).JSON(); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

func TestInvalidComputedPropertiesAreRejected(t *testing.T) {
	t.Parallel()
	for _, query := range []string{
		"SELECT c.a FROM c", "SELECT VALUE 1", "SELECT VALUE c.a FROM c JOIN d IN c.e", "SELECT VALUE c.a FROM c WHERE c.b",
		"SELECT VALUE c FROM c.a",
		"SELECT DISTINCT VALUE c.a FROM c", "SELECT VALUE COUNT(1) FROM c", "SELECT VALUE RAND() FROM c",
		"SELECT VALUE GetCurrentTimestamp() FROM c", "SELECT VALUE AGO('day', 1) > c.a FROM c", "SELECT VALUE now() FROM c",
		"SELECT VALUE udf.f(c.a) FROM c", "SELECT VALUE (SELECT VALUE c.a) FROM c", "SELECT VALUE ST_AREA(c.a) FROM c",
		"SELECT VALUE FROM c", "SELECT VALUE x.a FROM c",
	} {
		if _, err := NewComputed("cp", query, 0); err == nil {
			t.Errorf("%s was accepted", query)
		}
	}
	if _, err := NewComputed("_ts", "SELECT VALUE 1 FROM c", 0); err == nil {
		t.Error("a system property was accepted")
	}
}

// TestManyReferencesToAComputedPropertyAreCheap refers to a large computed property many times: the query compiles it
// once, and counts the work of computing it each time.
func TestManyReferencesToAComputedPropertyAreCheap(t *testing.T) {
	const references, size = 300, 300
	property, err := NewComputed("cp", "SELECT VALUE ["+strings.Repeat("c.a, ", size)+"1] FROM c", 0)
	if err != nil {
		t.Fatal(err)
	}
	q, err := Parse("SELECT VALUE 1 FROM c WHERE [" + strings.Repeat("c.cp, ", references) + "1] = 1")
	if err != nil {
		t.Fatal(err)
	}
	var p *Program
	allocations := testing.AllocsPerRun(1, func() {
		if p, err = Compile(q, Params{Computed: map[string]*Computed{"cp": property}}); err != nil {
			t.Fatal(err)
		}
	})
	if allocations > references*size/4 {
		t.Errorf("%v allocations", allocations)
	}
	b := budget.New(t.Context(), Limits(nil))
	if _, err := p.Run(t.Context(), documentsOf(parseLines(t, `{"id":"1"}`), nil), nil, Options{Budget: b}); err != nil ||
		b.Steps() < references*size {
		t.Errorf("%v, %d steps", err, b.Steps())
	}
}
