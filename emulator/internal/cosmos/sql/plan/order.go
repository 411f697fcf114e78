package plan

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
)

// Filter is the placeholder in rewritten queries that sort rows. SDKs replace it by true, or by a filter for the rows
// after the one where they stopped.
const Filter = "{documentdb-formattableorderbyquery-filter}"

// orderBy plans ORDER BY: rows include the values they are sorted by, so that a client can merge them.
func (b *builder) orderBy(info *Info) {
	order := b.Query.OrderBy.Items
	exprs := make([]ast.Expr, len(order))
	for i := range order {
		exprs[i] = order[i].Expr
		info.OrderBy = append(info.OrderBy, b.direction(&order[i]))
	}
	info.OrderByExpressions = printed(exprs)
	info.NonStreaming = len(order) == 1 && isCall(order[0].Expr, "VectorDistance")

	q := b.ordered(exprs, b.payload())
	if info.Distinct != "None" {
		q.Select.Top, q.OffsetLimit = nil, nil
	}
	info.Rewritten = q.String()
}

// ordered returns the query with rows of the form {_rid, orderByItems, payload} and the placeholder in its filter.
func (b *builder) ordered(by []ast.Expr, payload ast.Expr) *ast.Query {
	q := b.widenLimit(b.Query)
	q.Select = ast.Select{Top: q.Select.Top, Items: []ast.SelectItem{
		{Expr: &ast.Member{Of: &ast.Ident{Name: b.root}, Name: "_rid"}},
		{Expr: items(by), Alias: "orderByItems"},
		{Expr: payload, Alias: "payload"},
	}}
	filter := ast.Expr(&ast.Verbatim{Text: "(" + Filter + ")"})
	if q.Where != nil {
		filter = &ast.Binary{Op: ast.And, L: q.Where, R: filter}
	}
	if value := b.Query.Select.Value; value != nil {
		filter = &ast.Binary{Op: ast.And, L: filter, R: &ast.Call{Name: "IS_DEFINED", Args: []ast.Expr{value}}}
	}
	q.Where = filter
	return q
}

// direction returns the direction of an item. An unspecified direction of a distance puts the nearest first, which is
// the greatest similarity for all distance functions but the euclidean one.
func (b *builder) direction(item *ast.OrderItem) string {
	switch {
	case item.Order == ast.Descending,
		item.Order == ast.Unspecified && isCall(item.Expr, "VectorDistance") &&
			b.distance(item.Expr.(*ast.Call)) != "euclidean":
		return "Descending"
	}
	return "Ascending"
}

// distance returns the distance function of a call of VectorDistance: its own or that of its path; cosine by default.
func (b *builder) distance(call *ast.Call) string {
	if len(call.Args) > 3 {
		if own := strings.ToLower(b.constantOf(call.Args[3]).Field("distanceFunction").Str()); own != "" {
			return own
		}
	}
	for _, arg := range call.Args {
		names, ok := path(arg, b.root)
		if !ok || b.Distance == nil {
			continue
		}
		if own := b.Distance("/" + strings.Join(names, "/")); own != "" {
			return strings.ToLower(own)
		}
	}
	return "cosine"
}

// constantOf returns the value of an expression of literals and parameters; undefined for any other.
func (b *builder) constantOf(e ast.Expr) doc.Value {
	v, _ := value(e, b.Parameters)
	return v
}

func isCall(e ast.Expr, name string) bool {
	call, ok := e.(*ast.Call)
	return ok && !call.UDF && strings.EqualFold(call.Name, name)
}
