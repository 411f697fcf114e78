package plan

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// operators maps the names of aggregate functions in SQL to those in query plans.
var operators = map[string]string{
	"AVG": "Average", "COUNT": "Count", "COUNTIF": "CountIf", "MAKELIST": "MakeList", "MAKESET": "MakeSet",
	"MAX": "Max", "MIN": "Min", "SUM": "Sum",
}

// aggregates returns the operators of the SELECT clause, one per expression, empty for expressions that are not
// aggregates; nil if there are none.
func (b *builder) aggregates() ([]string, error) {
	exprs := b.selected()
	found, some := make([]string, len(exprs)), false
	for i, e := range exprs {
		if found[i] = operator(e); found[i] != "" {
			some = true
		} else if containsAggregate(e) {
			return nil, &Error{Message: "Compositions of aggregates and other expressions are not allowed."}
		}
	}
	if !some {
		return nil, nil
	}
	return found, nil
}

// selected returns the expressions of the SELECT clause.
func (b *builder) selected() []ast.Expr {
	s := &b.Query.Select
	if s.Value != nil {
		return []ast.Expr{s.Value}
	}
	exprs := make([]ast.Expr, len(s.Items))
	for i := range s.Items {
		exprs[i] = s.Items[i].Expr
	}
	return exprs
}

func operator(e ast.Expr) string {
	if call, ok := e.(*ast.Call); ok && !call.UDF {
		return operators[strings.ToUpper(call.Name)]
	}
	return ""
}

// containsAggregate reports whether an expression contains an aggregate. Aggregates in subqueries do not count.
func containsAggregate(e ast.Expr) bool {
	found := false
	ast.Walk(e, func(e ast.Expr) bool {
		found = found || operator(e) != ""
		return !found
	})
	return found
}

// partial returns the expression that a partition evaluates for an aggregate, so that partial results can be merged.
func partial(e ast.Expr) ast.Expr {
	call := e.(*ast.Call)
	again := func(name string) ast.Expr { return &ast.Call{Name: name, Args: call.Args} }
	switch operator(e) {
	case "Average":
		return object("item", object("sum", again("SUM"), "count", again("COUNT")))
	case "Min":
		return object("item", e, "item2", object("min", e, "count", again("COUNT")))
	case "Max":
		return object("item", e, "item2", object("max", e, "count", again("COUNT")))
	}
	return object("item", e)
}

// object returns {"name": value, …} for alternating names and expressions.
func object(parts ...any) *ast.Object {
	o := &ast.Object{}
	for i := 0; i < len(parts); i += 2 {
		o.Properties = append(o.Properties, ast.Property{Name: parts[i].(string), Value: parts[i+1].(ast.Expr)})
	}
	return o
}

// items returns [{"item": a}, {"item": b}].
func items(exprs []ast.Expr) *ast.Array {
	list := &ast.Array{}
	for _, e := range exprs {
		list.Elements = append(list.Elements, object("item", e))
	}
	return list
}

// group plans aggregates and GROUP BY. TOP, OFFSET LIMIT and DISTINCT are left to the client, because they apply to
// merged groups.
func (b *builder) group(info *Info, aggregates []string) {
	q := b.withoutWindow()
	q.Select = ast.Select{}
	info.GroupByExpressions = printed(q.GroupBy)
	value, bare := ast.Expr(nil), len(q.GroupBy) == 0
	if b.Query.Select.Value != nil {
		value = b.Query.Select.Value
		if aggregates != nil {
			info.Aggregates = aggregates
			value = &ast.Array{Elements: []ast.Expr{partial(value)}}
		}
	} else {
		value = b.groupList(info, aggregates)
	}
	switch {
	case bare && info.SelectValue:
		q.Select.Value = value
	case bare:
		q.Select.Items = []ast.SelectItem{{Expr: value, Alias: "payload"}}
	default:
		q.Select.Items = []ast.SelectItem{{Expr: items(q.GroupBy), Alias: "groupByItems"}, {Expr: value, Alias: "payload"}}
	}
	info.Rewritten = q.String()
}

// groupList plans a select list with aggregates or GROUP BY and returns the object for a group.
func (b *builder) groupList(info *Info, aggregates []string) ast.Expr {
	list := b.Query.Select.Items
	group := &ast.Object{}
	info.GroupByAliases = names(list)
	info.AliasAggregates = map[string]string{}
	for i, name := range info.GroupByAliases {
		value := list[i].Expr
		info.AliasAggregates[name] = ""
		if aggregates != nil && aggregates[i] != "" {
			info.AliasAggregates[name] = aggregates[i]
			value = partial(value)
		}
		group.Properties = append(group.Properties, ast.Property{Name: name, Value: value})
	}
	return group
}

func printed(exprs []ast.Expr) []string {
	texts := make([]string, 0, len(exprs))
	for _, e := range exprs {
		texts = append(texts, ast.Print(e))
	}
	return texts
}

// distinctCount plans the counting of distinct values: SELECT COUNT(1) FROM (SELECT DISTINCT …).
func (b *builder) distinctCount(info *Info) bool {
	q := b.Query
	exprs := b.selected()
	if q.From == nil || len(q.From.Sources) != 1 || q.From.Sources[0].Query == nil || len(exprs) != 1 ||
		operator(exprs[0]) != "Count" ||
		q.Where != nil || len(q.GroupBy) > 0 || q.OrderBy != nil {
		return false
	}
	inner := q.From.Sources[0].Query
	if args := exprs[0].(*ast.Call).Args; !inner.Select.Distinct || inner.Select.Top != nil || inner.OffsetLimit != nil ||
		len(inner.GroupBy) > 0 || inner.OrderBy != nil || len(args) != 1 || !constant(args[0]) {
		return false
	}
	alias := ""
	if !info.SelectValue {
		alias = names(q.Select.Items)[0]
	}
	info.DistinctCount, info.Distinct, info.Rewritten = &alias, "Unordered", inner.String()
	return true
}
