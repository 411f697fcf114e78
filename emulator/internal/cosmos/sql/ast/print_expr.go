package ast

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"

func (e *Literal) print(p *printer) {
	if !e.Value.Defined() {
		p.put("undefined")
		return
	}
	p.buf = doc.Append(p.buf[:0], e.Value)
	p.text.Write(p.buf)
}

func (e *Ident) print(p *printer) { p.put(e.Name) }

func (e *Param) print(p *printer) { p.put(e.Name) }

func (e *Verbatim) print(p *printer) { p.put(e.Text) }

func (e *Member) print(p *printer) {
	p.operand(e.Of)
	p.property(e.Name, e.Bracket && !p.alike || !IsIdentifier(e.Name))
}

func (e *Index) print(p *printer) {
	p.operand(e.Of)
	p.put("[")
	e.By.print(p)
	p.put("]")
}

// operand prints the operand of a property or element access. A number gets parentheses, because 1.a would be a
// malformed number.
func (p *printer) operand(e Expr) {
	switch e.(type) {
	case *Literal, *Unary:
		p.put("(")
		e.print(p)
		p.put(")")
	default:
		e.print(p)
	}
}

func (e *Array) print(p *printer) {
	p.put("[")
	p.list(e.Elements)
	p.put("]")
}

func (e *Object) print(p *printer) {
	p.put("{")
	for i, property := range e.Properties {
		if i > 0 {
			p.put(", ")
		}
		p.quoted(property.Name)
		p.put(": ")
		property.Value.print(p)
	}
	p.put("}")
}

func (e *Call) print(p *printer) {
	if e.UDF {
		p.put("udf.")
	}
	p.put(e.Name, "(")
	p.list(e.Args)
	p.put(")")
}

// print separates a negative number from the operator: - -1, because --1 would begin a comment.
func (e *Unary) print(p *printer) {
	p.put("(", e.Op.String())
	if _, ok := e.X.(*Literal); ok && e.Op != Not {
		p.put("(")
		e.X.print(p)
		p.put(")")
	} else {
		e.X.print(p)
	}
	p.put(")")
}

func (e *Binary) print(p *printer) {
	p.put("(")
	e.L.print(p)
	p.put(" ", e.Op.String(), " ")
	e.R.print(p)
	p.put(")")
}

func (e *Cond) print(p *printer) {
	p.put("(")
	e.If.print(p)
	p.put(" ? ")
	e.Then.print(p)
	p.put(" : ")
	e.Else.print(p)
	p.put(")")
}

func (p *printer) not(not bool) {
	if not {
		p.put(" NOT")
	}
}

func (e *Between) print(p *printer) {
	p.put("(")
	e.X.print(p)
	p.not(e.Not)
	p.put(" BETWEEN ")
	e.Low.print(p)
	p.put(" AND ")
	e.High.print(p)
	p.put(")")
}

func (e *In) print(p *printer) {
	p.put("(")
	e.X.print(p)
	p.not(e.Not)
	p.put(" IN (")
	p.list(e.List)
	p.put("))")
}

func (e *Like) print(p *printer) {
	p.put("(")
	e.X.print(p)
	p.not(e.Not)
	p.put(" LIKE ")
	e.Pattern.print(p)
	if e.HasEscape {
		p.put(" ESCAPE ")
		p.quoted(e.Escape)
	}
	p.put(")")
}

func (e *Subquery) print(p *printer) {
	p.put([...]string{"", "EXISTS", "ARRAY", "ALL", "FIRST", "LAST"}[e.Kind])
	p.subquery(e.Query)
}
