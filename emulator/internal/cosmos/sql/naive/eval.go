package naive

import (
	"errors"
	"fmt"
	"math"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
)

// ErrNotFinite is the error for a row with NaN or an infinite number, which the service rejects with code 4001.
var ErrNotFinite = errors.New("a row contains a number that is not finite")

// World is the data that a query is evaluated over.
type World struct {
	Documents []doc.Value          // of the container, in creation order
	Params    map[string]doc.Value // by name, including the @; others are undefined
	Env       builtin.Env          // for functions that are not implemented here, see functions
	UDF       func(name string, args []doc.Value) (doc.Value, error)
}

// scope is the list of a row's aliases, those of enclosing queries last.
type scope struct {
	name  string
	value doc.Value
	outer *scope
	at    int // the index of the document that the row came from
}

func (s *scope) find(name string) (doc.Value, bool) {
	for ; s != nil; s = s.outer {
		if s.name == name {
			return s.value, true
		}
	}
	return doc.Value{}, false
}

func (s *scope) bind(name string, v doc.Value, at int) *scope { return &scope{name, v, s, at} }

// Run returns the rows of a query in the service's order: by ORDER BY, otherwise by creation.
func (w *World) Run(q *ast.Query) (rows []doc.Value, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case error:
			err = r
		default:
			err = fmt.Errorf("%v", r)
		}
	}()
	rows = w.query(q, nil)
	for _, r := range rows {
		if !finite(r) {
			return nil, ErrNotFinite
		}
	}
	return rows, nil
}

func finite(v doc.Value) bool {
	for _, e := range v.Elements() {
		if !finite(e) {
			return false
		}
	}
	for _, m := range v.Members() {
		if !finite(m.Value) {
			return false
		}
	}
	return !math.IsNaN(v.Float()) && !math.IsInf(v.Float(), 0)
}

// query evaluates the clauses in order: FROM, WHERE, ORDER BY, GROUP BY, SELECT, DISTINCT, TOP, OFFSET LIMIT.
func (w *World) query(q *ast.Query, outer *scope) []doc.Value {
	rows := w.from(q.From, outer)
	if q.Where != nil {
		rows = keep(rows, func(s *scope) bool { return w.eval(q.Where, group{s}).IsTrue() })
	}
	if q.OrderBy != nil {
		w.sort(rows, q.OrderBy)
	}
	var out []doc.Value
	for _, g := range w.groups(q, rows, outer) {
		if v := w.project(q, g); v.Defined() {
			out = append(out, v)
		}
	}
	if q.Select.Distinct {
		for i, row := range out {
			out[i] = undefinedToNull(row)
		}
		out = distinct(out)
	}
	if q.Select.Top != nil {
		out = out[:min(len(out), w.count(*q.Select.Top))]
	}
	if q.OffsetLimit != nil {
		out = out[min(len(out), w.count(q.OffsetLimit.Offset)):]
		out = out[:min(len(out), w.count(q.OffsetLimit.Limit))]
	}
	return out
}

func keep(rows []*scope, f func(*scope) bool) []*scope {
	var kept []*scope
	for _, r := range rows {
		if f(r) {
			kept = append(kept, r)
		}
	}
	return kept
}

func (w *World) count(c ast.Count) int {
	if c.Param != "" {
		return int(w.Params[c.Param].Float())
	}
	return int(c.N)
}

// A group is a list of rows from which SELECT makes one.
type group []*scope

func (w *World) groups(q *ast.Query, rows []*scope, outer *scope) []group {
	switch {
	case len(q.GroupBy) > 0:
		return w.groupBy(q.GroupBy, rows)
	case w.aggregates(&q.Select):
		if len(rows) == 0 { // without rows there is still one result
			return []group{{}}
		}
		return []group{rows}
	}
	groups := make([]group, len(rows))
	for i, r := range rows {
		groups[i] = group{r}
	}
	return groups
}

func (w *World) groupBy(by []ast.Expr, rows []*scope) []group {
	var groups []group
	var keys [][]doc.Value
next:
	for _, r := range rows {
		key := make([]doc.Value, len(by))
		for i, e := range by {
			key[i] = undefinedToNull(w.eval(e, group{r}))
		}
		for i := range keys {
			if sameAll(keys[i], key) {
				groups[i] = append(groups[i], r)
				continue next
			}
		}
		keys, groups = append(keys, key), append(groups, group{r})
	}
	return groups
}

func sameAll(a, b []doc.Value) bool {
	for i := range a {
		if !same(a[i], b[i]) {
			return false
		}
	}
	return true
}

// undefinedToNull returns a row as the service writes it, with null for undefined array elements: rows that look equal
// are equal for DISTINCT and GROUP BY.
func undefinedToNull(v doc.Value) doc.Value {
	switch v.Kind() {
	case doc.List:
		elements := make([]doc.Value, v.Len())
		for i, e := range v.Elements() {
			if elements[i] = undefinedToNull(e); !e.Defined() {
				elements[i] = doc.NullValue()
			}
		}
		return doc.Array(elements...)
	case doc.Map:
		o := doc.Object()
		for _, m := range v.Members() {
			o = o.With(m.Name, undefinedToNull(m.Value))
		}
		return o
	}
	return v
}

func distinct(rows []doc.Value) []doc.Value {
	var kept []doc.Value
next:
	for _, r := range rows {
		for _, k := range kept {
			if same(k, r) {
				continue next
			}
		}
		kept = append(kept, r)
	}
	return kept
}

// project evaluates the SELECT clause; undefined if its VALUE is undefined.
func (w *World) project(q *ast.Query, g group) doc.Value {
	s := &q.Select
	switch {
	case s.Star:
		return g[0].value
	case s.Value != nil:
		return w.eval(s.Value, g)
	}
	row := doc.Object()
	unnamed := 0
	for _, item := range s.Items {
		name := nameOf(item)
		if name == "" {
			unnamed++
			name = fmt.Sprintf("$%d", unnamed)
		}
		if v := w.eval(item.Expr, g); v.Defined() {
			row = row.With(name, v)
		}
	}
	return row
}

func nameOf(item ast.SelectItem) string {
	if item.Alias != "" {
		return item.Alias
	}
	switch e := item.Expr.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.Member:
		return e.Name
	}
	return ""
}
