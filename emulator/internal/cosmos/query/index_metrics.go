package query

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/index"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
)

// indexMetrics lists the indexes that a query uses, and those that would help it ("Indexing metrics in Azure Cosmos
// DB").
type indexMetrics struct {
	utilized, potential []sql.Condition   // conditions on indexed paths, and on other paths
	order               index.Composite   // of ORDER BY, for which an index always exists
	composites          []index.Composite // composite indexes that would help
}

// indexReport is the format in which a client wants index metrics.
type indexReport uint8

const (
	noReport indexReport = iota
	reportV1
	reportV2
)

func readIndexReport(r *operation.Request) indexReport {
	switch {
	case r.Flag("X-Ms-Cosmos-Populateindexmetrics-V2"):
		return reportV2
	case r.Flag("X-Ms-Cosmos-Populateindexmetrics"):
		return reportV1
	}
	return noReport
}

// addIndexMetrics sets x-ms-cosmos-index-utilization if the request asks for it and, as in the service, the page has
// rows. The first format is base64-encoded JSON, the second URL-encoded JSON of another form.
func (q *DocumentQuery) addIndexMetrics(wanted indexReport) {
	if q.rows == 0 || wanted == noReport {
		return
	}
	m := q.IndexMetrics()
	text := base64.StdEncoding.EncodeToString(doc.Append(nil, m.v1()))
	if wanted == reportV2 {
		text = url.PathEscape(m.V2().JSON())
	}
	q.Out.Set("x-ms-cosmos-index-utilization", text)
}

// IndexMetrics returns which indexes the query used and which would help it.
func (q *DocumentQuery) IndexMetrics() *indexMetrics {
	m := &indexMetrics{}
	shape := q.Program.Shape()
	for _, condition := range shape.Where {
		if q.Def.Indexing.Includes(stepsOf(condition.Path)) {
			m.utilized = append(m.utilized, condition)
		} else {
			m.potential = append(m.potential, condition)
		}
	}
	if q.Spec.Query.OrderBy != nil {
		for _, o := range shape.Order {
			m.order = append(m.order, index.CompositePath{Steps: stepsOf(o.Path), Desc: o.Desc})
		}
	}
	m.composites = usefulComposites(m.utilized)
	return m
}

// usefulComposites returns the composite indexes that would serve several conditions at once: all equality conditions,
// followed by one other condition.
func usefulComposites(conditions []sql.Condition) []index.Composite {
	var equal, others index.Composite
	for _, condition := range conditions {
		p := index.CompositePath{Steps: stepsOf(condition.Path)}
		switch all := append(slices.Clone(equal), others...); {
		case slices.ContainsFunc(all, func(o index.CompositePath) bool {
			return doc.PathText(o.Steps) == doc.PathText(p.Steps)
		}):
		case condition.Op == sql.Eq:
			equal = append(equal, p)
		default:
			others = append(others, p)
		}
	}
	var all []index.Composite
	if len(others) == 0 && len(equal) > 1 {
		all = append(all, equal)
	}
	for _, other := range others {
		if len(equal) > 0 {
			all = append(all, append(slices.Clone(equal), other))
		}
	}
	return all
}

// v1 returns the metrics in the format of x-ms-cosmos-populateindexmetrics.
func (m *indexMetrics) v1() doc.Value {
	single := func(conditions []sql.Condition) (all []doc.Value) {
		for i := range conditions {
			all = append(all, doc.Object(
				doc.Member{Name: "FilterExpression", Value: doc.String(conditionText(&conditions[i]))},
				doc.Member{Name: "IndexSpec", Value: doc.String(specText(stepsOf(conditions[i].Path)) + "/?")},
				doc.Member{Name: "FilterPreciseSet", Value: doc.Bool(true)},
				doc.Member{Name: "IndexPreciseSet", Value: doc.Bool(true)},
				doc.Member{Name: "IndexImpactScore", Value: doc.String("High")}))
		}
		return all
	}
	several := func(composites []index.Composite) (all []doc.Value) {
		for _, c := range composites {
			all = append(all, doc.Object(
				doc.Member{Name: "IndexSpecs", Value: specs(c)},
				doc.Member{Name: "IndexPreciseSet", Value: doc.Bool(false)},
				doc.Member{Name: "IndexImpactScore", Value: doc.String("High")}))
		}
		return all
	}
	return doc.Object(
		doc.Member{Name: "UtilizedSingleIndexes",
			Value: doc.Array(append(single(m.utilized), single(m.orderConditions())...)...)},
		doc.Member{Name: "PotentialSingleIndexes", Value: doc.Array(single(m.potential)...)},
		doc.Member{Name: "UtilizedCompositeIndexes", Value: doc.Array(several(m.orderComposites())...)},
		doc.Member{Name: "PotentialCompositeIndexes", Value: doc.Array(several(m.composites)...)})
}

// V2 returns the metrics in the format of x-ms-cosmos-populateindexmetrics-V2, which newer SDKs ask for.
func (m *indexMetrics) V2() doc.Value {
	form := func(conditions []sql.Condition, composites []index.Composite) doc.Value {
		single, several := []doc.Value{}, []doc.Value{}
		for _, condition := range conditions {
			single = append(single,
				doc.Object(doc.Member{Name: "IndexSpec", Value: doc.String(specText(stepsOf(condition.Path)) + "/?")}))
		}
		for _, c := range composites {
			several = append(several, doc.Object(doc.Member{Name: "IndexSpecs", Value: specs(c)}))
		}
		return doc.Object(doc.Member{Name: "SingleIndexes", Value: doc.Array(single...)}, doc.Member{Name: "CompositeIndexes",
			Value: doc.Array(several...)})
	}
	return doc.Object(
		doc.Member{Name: "UtilizedIndexes", Value: form(append(slices.Clone(m.utilized), m.orderConditions()...),
			m.orderComposites())},
		doc.Member{Name: "PotentialIndexes", Value: form(m.potential, m.composites)})
}

// orderConditions returns the condition for an ORDER BY of one path, which uses the index of that path.
func (m *indexMetrics) orderConditions() []sql.Condition {
	if len(m.order) != 1 {
		return nil
	}
	path := sql.Path{}
	for _, s := range m.order[0].Steps {
		path = append(path, sql.Step{Name: s.Name})
	}
	return []sql.Condition{{Path: path, Op: sql.IsDefined}}
}

func (m *indexMetrics) orderComposites() []index.Composite {
	if len(m.order) < 2 {
		return nil
	}
	return []index.Composite{m.order}
}

// specs returns the paths of a composite index in the form of the metrics.
func specs(c index.Composite) doc.Value {
	var all []doc.Value
	for _, p := range c {
		order := " ASC"
		if p.Desc {
			order = " DESC"
		}
		all = append(all, doc.String(specText(p.Steps)+order))
	}
	return doc.Array(all...)
}

// specText returns a path with quotes only around the names that need them.
func specText(steps []doc.PathStep) string {
	var b strings.Builder
	for _, s := range steps {
		plain := "/" + s.Name
		if p, err := doc.ParseValuePath(plain); s.Element || err != nil || len(p.Steps) != 1 || p.Steps[0] != s {
			plain = doc.PathText([]doc.PathStep{s})
		}
		b.WriteString(plain)
	}
	return b.String()
}

// operators maps the conditions that are comparisons to their operators.
var operators = map[sql.Op]string{sql.Eq: "=", sql.Ne: "!=", sql.Lt: "<", sql.Le: "<=", sql.Gt: ">", sql.Ge: ">="}

// conditionText returns a condition in the form of the metrics, such as (ROOT.name = "Julien").
func conditionText(c *sql.Condition) string {
	path := "ROOT"
	for _, s := range c.Path {
		if s.Kind == sql.Property {
			path += "." + s.Name
		} else {
			path += "[]"
		}
	}
	var values []string
	for _, v := range c.Values {
		values = append(values, v.JSON())
	}
	if operator := operators[c.Op]; operator != "" {
		return "(" + path + " " + operator + " " + values[0] + ")"
	}
	return c.Op.String() + "(" + strings.Join(append([]string{path}, values...), ", ") + ")"
}
