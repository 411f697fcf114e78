package plan

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
)

// expectedInfo is Info in the form of the tables in testdata.
type expectedInfo struct {
	Distinct           string            `json:"distinct"`
	Top                *int64            `json:"top"`
	Offset             *int64            `json:"offset"`
	Limit              *int64            `json:"limit"`
	OrderBy            []string          `json:"orderBy"`
	OrderByExpressions []string          `json:"orderByExpressions"`
	GroupByExpressions []string          `json:"groupByExpressions"`
	GroupByAliases     []string          `json:"groupByAliases"`
	Aggregates         []string          `json:"aggregates"`
	AliasAggregates    map[string]string `json:"aliasAggregates"`
	Rewritten          string            `json:"rewritten"`
	SelectValue        bool              `json:"selectValue"`
	NonStreaming       bool              `json:"nonStreaming"`
}

func (e *expectedInfo) info() *Info {
	if e == nil {
		return nil
	}
	return &Info{e.Distinct, e.Top, e.Offset, e.Limit, e.OrderBy, e.OrderByExpressions, e.GroupByExpressions,
		e.GroupByAliases,
		e.Aggregates, e.AliasAggregates, e.Rewritten, e.SelectValue, nil, e.NonStreaming}
}

type expectedHybrid struct {
	Statistics string
	Components []*expectedInfo
	Skip, Take *int64
}

type baselineCase struct {
	Table, Name, Query, Code, Skip string
	Error                          string
	Keys                           []string
	Parameters                     []struct {
		Name  string
		Value json.RawMessage
	}
	Ranges []string
	Info   *expectedInfo
	Hybrid *expectedHybrid
}

func (c *baselineCase) request(t *testing.T) (*Request, error) {
	t.Helper()
	q, err := sql.Parse(c.Query)
	if err != nil {
		return nil, err
	}
	r := &Request{Query: q, Parameters: map[string]doc.Value{},
		Key: &doc.PartitionKeyDefinition{Paths: c.Keys, Version: 2}}
	r.Distance = func(path string) string {
		if path == "/embedding" {
			return strings.ToLower(strings.Fields(c.Name)[0]) // Euclidean Distance …, Cosine Similarity …
		}
		return ""
	}
	for _, p := range c.Parameters {
		v, err := doc.Parse(p.Value)
		if err != nil {
			t.Fatal(err)
		}
		r.Parameters[p.Name] = v
	}
	return r, nil
}

const digits = "numbers have as many digits as they need, the service writes up to 17"

// differences are the baselines with other results than ours, and the reasons. Each must stay different.
var differences = map[string]string{
	"ABS":                 "ABS(key) = n is no partition key equality here: the query goes everywhere",
	"_TRY_ARRAY_CONTAINS": "a function that is not documented",
	"LIKE and partition filter/SELECT * FROM c WHERE c.a LIKE 'a!%' ESCAPE '!'": "a pattern without wildcards is no equality here",
	"Euclidean Distance with inline vector":                                     digits,
	"Cosine Similarity with inline vector":                                      digits,
	"Dot Product with inline vector":                                            digits,
	"Subquery as Filter":                                                        "a subquery is not taken for the empty filter that it is",
	"OFFSET value at upper range (client) - hybrid search":                      "the service's limit of the components overflows",
	"LIMIT value at upper range (client) - hybrid search":                       "the service's limit of the components overflows",
}

func TestPlansMatchTheBaselines(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/baseline.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct{ Cases []*baselineCase }
	if err := json.Unmarshal(text, &table); err != nil {
		t.Fatal(err)
	}
	for _, c := range table.Cases {
		if c.Skip != "" {
			continue
		}
		different := compareBaseline(t, c)
		reason := differences[c.Name] + differences[c.Name+"/"+c.Query]
		switch {
		case different != "" && reason == "":
			t.Errorf("%s, %s: %s\n%s", c.Table, c.Name, c.Query, different)
		case different == "" && reason != "":
			t.Errorf("%s, %s: no difference any more", c.Table, c.Name)
		}
	}
}

// compareBaseline returns a description of the differences; empty: none.
func compareBaseline(t *testing.T, c *baselineCase) string {
	r, err := c.request(t)
	var p *Plan
	if err == nil {
		p, err = New(r)
	}
	if err == nil && p.Hybrid == nil {
		_, err = sql.Compile(r.Query, sql.Params{Values: r.Parameters})
	}
	if c.Error != "" {
		if err == nil || !strings.Contains(err.Error(), strings.ReplaceAll(c.Error, `"`, `\"`)) &&
			!strings.Contains(err.Error(), c.Error) {
			return "error " + c.Error + ", ours: " + errorText(err)
		}
		return ""
	}
	if err != nil {
		return err.Error()
	}
	if c.Table == "VectorSearch" {
		c.Info.NonStreaming = true // the baseline leaves it out
	}
	expected := Plan{Info: c.Info.info(), Ranges: c.ranges(t, r.Key), Hybrid: c.Hybrid.hybrid()}
	return cmp.Diff(&expected, p, cmpopts.EquateEmpty(), cmp.Transformer("oneLine", oneLine))
}

func errorText(err error) string {
	if err == nil {
		return "none"
	}
	return err.Error()
}

// oneLine removes the layout of SQL: the service breaks lines differently in subqueries and joins.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.NewReplacer("( ", "(", " )", ")").Replace(s)
}

func (h *expectedHybrid) hybrid() *Hybrid {
	if h == nil {
		return nil
	}
	made := &Hybrid{Statistics: h.Statistics, RequiresStatistics: true, Skip: h.Skip, Take: h.Take}
	for _, c := range h.Components {
		info := c.info()
		info.NonStreaming = true // the baseline leaves it out
		made.Components = append(made.Components, info)
	}
	return made
}

// ranges converts [["a",1],["a",1]] and [[],"Infinity") to ranges of hashes.
func (c *baselineCase) ranges(t *testing.T, d *doc.PartitionKeyDefinition) []Range {
	all := []Range{}
	for _, text := range c.Ranges {
		text = strings.TrimSpace(text)
		ends, err := doc.Parse([]byte("[" + text[1:len(text)-1] + "]"))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		all = append(all, Range{Min: end(t, d, ends.At(0)), Max: end(t, d, ends.At(1)),
			MaxInclusive: strings.HasSuffix(text, "]")})
	}
	slices.SortFunc(all, func(a, b Range) int { return strings.Compare(a.Min, b.Min) })
	return all
}

func end(t *testing.T, d *doc.PartitionKeyDefinition, v doc.Value) string {
	if v.Str() == "Infinity" {
		return "FF"
	}
	if v.Len() == 0 {
		return ""
	}
	key, err := doc.ParsePartitionKeyHeader(v.JSON())
	if err != nil {
		t.Fatal(err)
	}
	return d.EPK(key).Hex()
}

func TestUnsupportedFeaturesAreNamed(t *testing.T) {
	t.Parallel()
	for query, expected := range map[string]string{
		"SELECT * FROM c":                                               "",
		"SELECT * FROM c ORDER BY c.a":                                  "OrderBy",
		"SELECT * FROM c ORDER BY c.a, c.b":                             "MultipleOrderBy",
		"SELECT TOP 1 * FROM c":                                         "Top",
		"SELECT DISTINCT c.a FROM c OFFSET 0 LIMIT 1":                   "Distinct OffsetAndLimit",
		"SELECT VALUE COUNT(1) FROM c":                                  "Aggregate",
		"SELECT VALUE COUNTIF(c.a) FROM c":                              "Aggregate CountIf",
		"SELECT COUNT(1) FROM c":                                        "NonValueAggregate",
		"SELECT c.a, COUNT(1) AS n, MAX(c.b) FROM c GROUP BY c.a":       "GroupBy MultipleAggregates NonValueAggregate",
		"SELECT VALUE MAKELIST(c.a) FROM c":                             "Aggregate ListAndSetAggregate",
		"SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.a FROM c)": "DCount",
		"SELECT * FROM c ORDER BY VectorDistance(c.v, [1])":             "OrderBy NonStreamingOrderBy",
		"SELECT * FROM c ORDER BY RANK FullTextScore(c.t, 'a')":         "HybridSearch",
		"SELECT * FROM c ORDER BY RANK RRF(FullTextScore(c.t, 'a'), VectorDistance(c.v, [1]), [1, -2])": "HybridSearch WeightedRankFusion",
	} {
		p := plan(t, query)
		if got := strings.Join(p.requiredFeatures(), " "); got != expected {
			t.Errorf("%s: %q, expected %q", query, got, expected)
		}
		if err := p.Unsupported(strings.Join(p.requiredFeatures(), ", ")); err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
	const message = "Query contains 1 or more unsupported features. Upgrade your SDK to a version that does support the requested features:\r\n" +
		"Query contained OrderBy, which the calling client does not support."
	if err := plan(t, "SELECT TOP 1 * FROM c ORDER BY c.a").Unsupported("Top"); err == nil || err.Error() != message {
		t.Errorf("%v", err)
	}
}

func plan(t *testing.T, query string) *Plan {
	t.Helper()
	q, err := sql.Parse(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	p, err := New(&Request{Query: q, Key: &doc.PartitionKeyDefinition{Paths: []string{"/pk"}, Version: 2}})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return p
}

func TestQueriesServedByTheGateway(t *testing.T) {
	t.Parallel()
	for query, expected := range map[string]int{
		"SELECT * FROM c": 0,
		"SELECT c.a FROM c JOIN t IN c.tags WHERE t LIKE 'a%'": 0,
		"SELECT * FROM c WHERE c.pk = 'x' ORDER BY c.a":        0,
		"SELECT VALUE COUNT(1) FROM c WHERE c.pk = 'x'":        0,
		"SELECT COUNT(1), MAX(c.a) FROM c WHERE 'x' = c.pk":    0,
		"SELECT * FROM c WHERE c.pk IN ('x', 'y')":             0,
		"SELECT 1":                                              0,
		"SELECT * FROM c ORDER BY c.a":                          1004,
		"SELECT TOP 1 * FROM c":                                 1004,
		"SELECT * FROM c OFFSET 1 LIMIT 1":                      1004,
		"SELECT DISTINCT c.a FROM c":                            1004,
		"SELECT VALUE COUNT(1) FROM c":                          1004,
		"SELECT VALUE COUNT(1) FROM c WHERE c.pk IN ('x','y')":  1004,
		"SELECT c.a FROM c GROUP BY c.a":                        1004,
		"SELECT COUNT(1) FROM c":                                -1,
		"SELECT c.a, COUNT(1) AS n FROM c GROUP BY c.a":         -1,
		"SELECT * FROM c ORDER BY RANK FullTextScore(c.t, 'a')": 1004,
	} {
		err := plan(t, query).CheckGateway()
		var refused *GatewayError
		switch errors.As(err, &refused); {
		case expected == 0 && err == nil:
		case expected == 1004 && refused != nil && refused.SubStatus == 1004 && refused.Plan != nil:
		case expected == -1 && refused != nil && refused.SubStatus == 0 && strings.Contains(refused.Message,
			"VALUE <AggregateFunc>"):
		default:
			t.Errorf("%s: %v", query, err)
		}
	}
}
