package cosmos

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	sqlplan "github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/plan"
)

// merger runs queries over the partitions of a container as SDKs do: it sends the query to the gateway, and if the
// gateway refuses, it follows the plan in the error, partition by partition, and merges the results.
type merger struct {
	*testService
	path string // of the feed of items
	page int    // rows per page
}

// allFeatures are the query features that the .NET SDK supports.
const allFeatures = "Aggregate,CompositeAggregate,CountIf,DCount,Distinct,GroupBy,HybridSearch,ListAndSetAggregate,MultipleAggregates," +
	"MultipleOrderBy,NonStreamingOrderBy,NonValueAggregate,OffsetAndLimit,OrderBy,Top,WeightedRankFusion"

// queryBody returns the body of a query. Parameters alternate between name and value.
func queryBody(text string, parameters ...any) []byte {
	list := []doc.Value{}
	for i := 0; i < len(parameters); i += 2 {
		list = append(list, doc.Object(doc.Member{Name: "name", Value: doc.String(parameters[i].(string))},
			doc.Member{Name: "value", Value: parameters[i+1].(doc.Value)}))
	}
	return doc.Append(nil, doc.Object(doc.Member{Name: "query", Value: doc.String(text)}, doc.Member{Name: "parameters",
		Value: doc.Array(list...)}))
}

// ask sends a query. headers alternate between name and value. It returns the status, the response and the
// continuation.
func (m *merger) ask(t *testing.T, body []byte, headers ...string) (int, doc.Value, string) {
	t.Helper()
	h := http.Header{"Content-Type": {"application/query+json"}, "X-Ms-Documentdb-Isquery": {"True"}}
	for i := 0; i < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
	}
	w := m.do(t, http.MethodPost, m.path, h, body)
	v, err := doc.Parse(w.Body.Bytes())
	if err != nil {
		t.Fatalf("%s: %v", w.Body, err)
	}
	return w.Code, v, w.Header().Get("X-Ms-Continuation")
}

// drain reads all pages of a query, which must succeed.
func (m *merger) drain(t *testing.T, body []byte, headers ...string) []doc.Value {
	t.Helper()
	headers = append(headers, "X-Ms-Max-Item-Count", strconv.Itoa(m.page))
	rows, token := []doc.Value{}, ""
	for pages := 0; pages == 0 || token != ""; pages++ {
		status, v, next := m.ask(t, body, append(headers, "X-Ms-Continuation", token)...)
		if status != http.StatusOK || pages > 10_000 {
			t.Fatalf("%s %q: %d %s", body, headers, status, v.JSON())
		}
		if n := v.Field("Documents").Len(); m.page > 0 && n > m.page {
			t.Fatalf("%s: %d rows in a page of %d", body, n, m.page)
		}
		rows, token = append(rows, v.Field("Documents").Elements()...), next
	}
	return rows
}

// query returns the rows of a query over all partitions, merged by its plan.
func (m *merger) query(t *testing.T, text string, parameters ...any) []doc.Value {
	t.Helper()
	body := queryBody(text, parameters...)
	status, answer, _ := m.ask(t, body, "X-Ms-Documentdb-Query-Enablecrosspartition", "true")
	if status == http.StatusOK {
		return m.drain(t, body, "X-Ms-Documentdb-Query-Enablecrosspartition", "true")
	}
	if message := answer.Field("message").Str(); status != http.StatusBadRequest ||
		!strings.Contains(message, "can not be directly served") && !strings.Contains(message, "VALUE <AggregateFunc>") {
		t.Fatalf("%s: %d %s", text, status, answer.JSON())
	}
	status, plan, _ := m.ask(t, body, "X-Ms-Cosmos-Is-Query-Plan-Request", "True", "X-Ms-Cosmos-Supported-Query-Features",
		allFeatures)
	if status != http.StatusOK {
		t.Fatalf("%s: %d %s", text, status, plan.JSON())
	}
	if own := answer.Field("additionalErrorInfo"); own.Defined() && !doc.Equal(parsed(t, []byte(own.Str())), plan) {
		t.Fatalf("%s is refused with the plan %s, but has %s", text, own.Str(), plan.JSON())
	}
	if plan.Field("hybridSearchQueryInfo").Kind() == doc.Map {
		return m.hybrid(t, plan, parameters)
	}
	rewritten := plan.Field("queryInfo").Field("rewrittenQuery").Str()
	if rewritten == "" {
		rewritten = text
	}
	return mergeRows(plan.Field("queryInfo"), m.each(t, plan, rewritten, parameters))
}

// each returns the rows of a query from each partition in a plan.
func (m *merger) each(t *testing.T, plan doc.Value, text string, parameters []any) [][]doc.Value {
	t.Helper()
	body := queryBody(strings.ReplaceAll(text, sqlplan.Filter, "true"), parameters...)
	all := [][]doc.Value{}
	for _, id := range m.partitions(t, plan) {
		all = append(all, m.drain(t, body, "X-Ms-Documentdb-Partitionkeyrangeid", id,
			"X-Ms-Documentdb-Query-Enablecrosspartition", "True"))
	}
	return all
}

// partitions returns the ids of the physical partitions that a plan's ranges overlap.
func (m *merger) partitions(t *testing.T, plan doc.Value) []string {
	t.Helper()
	w := m.do(t, http.MethodGet, strings.TrimSuffix(m.path, "docs")+"pkranges", http.Header{}, nil)
	v, err := doc.Parse(w.Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	ids := []string{}
	for _, p := range v.Field("PartitionKeyRanges").Elements() {
		if slices.ContainsFunc(plan.Field("queryRanges").Elements(), func(r doc.Value) bool {
			above := r.Field("max").Str() > p.Field("minInclusive").Str() ||
				r.Field("isMaxInclusive").IsTrue() && r.Field("max").Str() == p.Field("minInclusive").Str()
			return above && r.Field("min").Str() < p.Field("maxExclusive").Str()
		}) {
			ids = append(ids, p.Field("id").Str())
		}
	}
	return ids
}

// mergeRows applies the plan's queryInfo to the rows of the partitions, in the order of the SDKs' pipelines.
func mergeRows(info doc.Value, parts [][]doc.Value) []doc.Value {
	rows := slices.Concat(parts...)
	switch {
	case info.Field("groupByExpressions").Len() > 0 || info.Field("groupByAliases").Len() > 0 ||
		info.Field("aggregates").Len() > 0:
		rows = mergeGroups(info, rows)
	case info.Field("orderBy").Len() > 0:
		rows = mergeOrder(info.Field("orderBy"), rows)
	}
	if info.Field("distinctType").Str() != "None" {
		rows = distinctRows(rows)
	}
	if counted := info.Field("dCountInfo"); counted.Kind() == doc.Map {
		rows = []doc.Value{doc.Number(float64(len(rows)))}
		if alias := counted.Field("dCountAlias").Str(); alias != "" {
			rows[0] = doc.Object(doc.Member{Name: alias, Value: rows[0]})
		}
	}
	rows = rows[min(len(rows), int(info.Field("offset").Float())):]
	for _, most := range []string{"top", "limit"} {
		if n := info.Field(most); n.Kind() == doc.Numeric {
			rows = rows[:min(len(rows), int(n.Float()))]
		}
	}
	return rows
}

// mergeOrder sorts rows by their orderByItems and unwraps them. Equal rows stay in the order of the partitions.
func mergeOrder(directions doc.Value, rows []doc.Value) []doc.Value {
	slices.SortStableFunc(rows, func(a, b doc.Value) int {
		for i, d := range directions.Elements() {
			c := doc.Compare(a.Field("orderByItems").At(i).Field("item"), b.Field("orderByItems").At(i).Field("item"))
			if d.Str() == "Descending" {
				c = -c
			}
			if c != 0 {
				return c
			}
		}
		return 0
	})
	payloads := []doc.Value{}
	for _, r := range rows {
		if p := r.Field("payload"); p.Defined() {
			payloads = append(payloads, p)
		}
	}
	return payloads
}

func distinctRows(rows []doc.Value) []doc.Value {
	seen, kept := map[string]bool{}, []doc.Value{}
	for _, r := range rows {
		if text := canonical(r); !seen[text] {
			seen[text] = true
			kept = append(kept, r)
		}
	}
	return kept
}

// canonical returns a text that is the same for equal values, regardless of the order of members.
func canonical(v doc.Value) string {
	switch v.Kind() {
	case doc.Map:
		members := []string{}
		for _, m := range v.Members() {
			members = append(members, strconv.Quote(m.Name)+":"+canonical(m.Value))
		}
		slices.Sort(members)
		return "{" + strings.Join(members, ",") + "}"
	case doc.List:
		elements := []string{}
		for _, e := range v.Elements() {
			elements = append(elements, canonical(e))
		}
		return "[" + strings.Join(elements, ",") + "]"
	}
	return v.JSON()
}
