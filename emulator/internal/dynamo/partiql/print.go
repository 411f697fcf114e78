package partiql

import (
	"strings"
)

// String returns the statement as text. Parsing the text gives an equal statement.
func (s *Statement) String() string {
	var w writer
	w.statement(s)
	return w.String()
}

// writer writes statements as text, with a space between tokens.
type writer struct{ strings.Builder }

func (w *writer) add(texts ...string) {
	for _, text := range texts {
		if w.Len() > 0 {
			w.WriteByte(' ')
		}
		w.WriteString(text)
	}
}

func (w *writer) statement(s *Statement) {
	switch s.Kind {
	case Exists:
		w.add("EXISTS", "(")
		w.statement(s.Exists)
		w.add(")")
	case Expression:
		w.node(s.Expression)
	case Select:
		w.selectStatement(s)
	case Insert:
		w.add("INSERT", "INTO")
		w.names(s.Table)
		w.add("VALUE")
		w.node(s.Item)
	case Delete:
		w.add("DELETE", "FROM")
		w.names(s.Table)
		w.alias(s)
		w.where(s)
	case Update:
		w.update(s)
	}
	if s.Returning != nil {
		w.add(s.Returning.String())
	}
}

func (w *writer) selectStatement(s *Statement) {
	w.add("SELECT")
	if s.Star {
		w.add("*")
	}
	for i, n := range s.Columns {
		if i > 0 {
			w.add(",")
		}
		w.node(n)
	}
	w.add("FROM")
	w.names(s.Table)
	w.alias(s)
	w.where(s)
	for i, term := range s.Order {
		if w.add([]string{"ORDER BY", ","}[min(i, 1)]); term.Node != nil {
			w.node(term.Node)
		}
		if term.Descending {
			w.add("DESC")
		}
		if term.Nulls != "" {
			w.add("NULLS", term.Nulls)
		}
	}
	if s.Limit != nil {
		w.add("LIMIT")
		w.node(s.Limit)
	}
}

func (w *writer) update(s *Statement) {
	if s.FromFirst {
		w.add("FROM")
	} else if s.Table != nil {
		w.add("UPDATE")
	}
	w.names(s.Table)
	w.alias(s)
	if s.FromFirst {
		w.where(s)
	}
	for _, a := range s.Actions {
		if a.Value == nil {
			w.add("REMOVE")
			w.node(a.Path)
			continue
		}
		w.add("SET")
		w.node(a.Path)
		w.add("=")
		w.node(a.Value)
	}
	if !s.FromFirst {
		w.where(s)
	}
}

func (w *writer) where(s *Statement) {
	if s.Where != nil {
		w.add("WHERE")
		w.node(s.Where)
	}
}

func (w *writer) alias(s *Statement) {
	if s.Alias {
		w.add("alias")
	}
}

func (w *writer) names(names []Name) {
	for i, name := range names {
		if i > 0 {
			w.add(".")
		}
		w.add(nameText(name.Text, name.Quoted))
	}
}

func nameText(text string, quoted bool) string {
	if quoted {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

// node writes an expression. Operators are in parentheses, so that precedence does not matter.
func (w *writer) node(n *Node) {
	switch n.Kind {
	case nodePath:
		w.steps(n.Steps, true)
	case nodeSteps:
		w.list("(", ")", n.Args)
		w.steps(n.Steps, false)
	case nodeString:
		w.add("'" + strings.ReplaceAll(n.Text, "'", "''") + "'")
	case nodeNumber:
		w.add(n.Text)
	case nodeTrue:
		w.add("TRUE")
	case nodeFalse:
		w.add("FALSE")
	case nodeNull:
		w.add("NULL")
	case nodeMissing:
		w.add("MISSING")
	case nodeIon:
		w.add("`" + n.Text + "`")
	case nodeParameter:
		w.add("?")
	case nodeStar:
		w.add("*")
	case nodeSelect:
		w.statement(n.Subquery)
	case nodeList:
		if n.Tuple {
			w.list("(", ")", n.Args)
			return
		}
		w.list("[", "]", n.Args)
	case nodeBag:
		w.list("<<", ">>", n.Args)
	case nodeStruct:
		w.structure(n)
	case nodeCall:
		w.add(nameText(n.Text, !functionKeywords()[n.functionName()]))
		w.list("(", ")", n.Args)
	case nodeCase:
		w.caseNode(n)
	default:
		w.operator(n)
	}
}

func (w *writer) list(opening, closing string, nodes []*Node) {
	w.add(opening)
	for i, n := range nodes {
		if i > 0 {
			w.add(",")
		}
		w.node(n)
	}
	w.add(closing)
}

func (w *writer) structure(n *Node) {
	w.add("{")
	for i, arg := range n.Args {
		if i > 0 {
			w.add([]string{",", ":"}[i%2])
		}
		w.node(arg)
	}
	w.add("}")
}

func (w *writer) steps(steps []Step, rooted bool) {
	for i, s := range steps {
		switch {
		case s.Digits != "":
			w.add("[", s.Digits, "]")
		case s.Star:
			w.add(".", "*")
		default:
			if i > 0 || !rooted {
				w.add(".")
			}
			w.add(nameText(s.Name, s.Quoted))
		}
	}
}

func (w *writer) operator(n *Node) {
	w.add("(")
	defer w.add(")")
	if n.Kind == nodeUnary {
		w.add(n.Text)
		w.node(n.Args[0])
		return
	}
	w.node(n.Args[0])
	switch n.Kind {
	case nodeBinary:
		w.add(n.Text)
	case nodeIn:
		w.add("IN")
	case nodeLike:
		w.add("LIKE")
	case nodeBetween:
		w.add("BETWEEN")
	case nodeIs:
		w.add("IS", n.Type)
		return
	}
	w.node(n.Args[1])
	if len(n.Args) > 2 {
		w.add(map[NodeKind]string{nodeBetween: "AND", nodeLike: "ESCAPE"}[n.Kind])
		w.node(n.Args[2])
	}
}

func (w *writer) caseNode(n *Node) {
	w.add("CASE")
	args := n.Args
	if n.Text == "SimpleCase" {
		w.node(args[0])
		args = args[1:]
	}
	for len(args) > 1 {
		w.add("WHEN")
		w.node(args[0])
		w.add("THEN")
		w.node(args[1])
		args = args[2:]
	}
	if len(args) > 0 {
		w.add("ELSE")
		w.node(args[0])
	}
	w.add("END")
}
