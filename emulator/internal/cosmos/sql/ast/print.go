package ast

import (
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// String returns the query as canonical SQL, with one line per clause, as in the service's query plans. Subqueries are
// on one line.
func (q *Query) String() string {
	p := printer{}
	p.query(q, "\n")
	return p.text.String()
}

// Print returns an expression as canonical SQL.
func Print(e Expr) string {
	p := printer{}
	e.print(&p)
	return p.text.String()
}

// Key returns a text that two expressions share if and only if they are the same but for notation: c.a or c["a"].
func Key(e Expr) string {
	p := printer{alike: true}
	e.print(&p)
	return p.text.String()
}

type printer struct {
	text  strings.Builder
	buf   []byte
	alike bool // print c["a"] as c.a
}

func (p *printer) put(parts ...string) {
	for _, s := range parts {
		p.text.WriteString(s)
	}
}

func (p *printer) query(q *Query, between string) {
	p.selection(&q.Select)
	if q.From != nil {
		p.put(between, "FROM ")
		p.from(q.From)
	}
	if q.Where != nil {
		p.put(between, "WHERE ")
		q.Where.print(p)
	}
	if len(q.GroupBy) > 0 {
		p.put(between, "GROUP BY ")
		p.list(q.GroupBy)
	}
	if q.OrderBy != nil {
		p.put(between)
		p.orderBy(q.OrderBy)
	}
	if q.OffsetLimit != nil {
		p.put(between, "OFFSET ")
		p.count(&q.OffsetLimit.Offset)
		p.put(" LIMIT ")
		p.count(&q.OffsetLimit.Limit)
	}
}

func (p *printer) selection(s *Select) {
	p.put("SELECT ")
	if s.Distinct {
		p.put("DISTINCT ")
	}
	if s.Top != nil {
		p.put("TOP ")
		p.count(s.Top)
		p.put(" ")
	}
	switch {
	case s.Star:
		p.put("*")
	case s.Value != nil:
		p.put("VALUE ")
		s.Value.print(p)
	}
	for i := range s.Items {
		if i > 0 {
			p.put(", ")
		}
		s.Items[i].Expr.print(p)
		if s.Items[i].Alias != "" {
			p.put(" AS ", s.Items[i].Alias)
		}
	}
}

func (p *printer) count(c *Count) {
	if c.Param != "" {
		p.put(c.Param)
		return
	}
	p.put(strconv.FormatInt(c.N, 10))
}

func (p *printer) from(f *From) {
	for i := range f.Sources {
		if i > 0 {
			p.put(" JOIN ")
		}
		p.source(&f.Sources[i])
	}
}

func (p *printer) source(s *Source) {
	if s.In {
		p.put(s.Alias, " IN ")
	}
	if s.Query != nil {
		p.subquery(s.Query)
	} else {
		p.put(s.Root)
		for _, step := range s.Path {
			p.step(step)
		}
	}
	if !s.In && s.Alias != "" {
		p.put(" AS ", s.Alias)
	}
}

func (p *printer) step(s Step) {
	if s.IsIndex {
		p.put("[", strconv.Itoa(s.Index), "]")
		return
	}
	p.property(s.Name, !IsIdentifier(s.Name))
}

func (p *printer) property(name string, bracket bool) {
	if !bracket {
		p.put(".", name)
		return
	}
	p.put("[")
	p.quoted(name)
	p.put("]")
}

func (p *printer) quoted(s string) {
	p.buf = doc.AppendString(p.buf[:0], s)
	p.text.Write(p.buf)
}

func (p *printer) subquery(q *Query) {
	p.put("(")
	p.query(q, " ")
	p.put(")")
}

func (p *printer) list(all []Expr) {
	for i, e := range all {
		if i > 0 {
			p.put(", ")
		}
		e.print(p)
	}
}

func (p *printer) orderBy(o *OrderBy) {
	p.put("ORDER BY ")
	if o.Rank {
		p.put("RANK ")
	}
	for i := range o.Items {
		if i > 0 {
			p.put(", ")
		}
		o.Items[i].Expr.print(p)
		p.put([...]string{"", " ASC", " DESC"}[o.Items[i].Order])
	}
}
