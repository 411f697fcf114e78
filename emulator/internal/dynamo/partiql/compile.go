package partiql

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// Compiled is a statement with all checks done that need no table.
type Compiled struct {
	*Statement
	TableName string
	IndexName string // empty for the table itself

	Condition  *expr.Condition  // of WHERE; nil without one
	Keys       *Predicate       // of WHERE, for choosing the keys to read; nil without one
	Projection *expr.Projection // nil for *
	NewItem    item.Value       // of INSERT
	Update     *expr.Update     // of UPDATE
}

// Compile checks a statement with its parameters and compiles its parts. Errors: an *Error or an *expr.Error with the
// service's message.
func Compile(s *Statement, parameters []item.Value) (*Compiled, error) {
	if err := s.checkKind(); err != nil {
		return nil, err
	}
	if s.Parameters > len(parameters) {
		return nil, errorf("Number of parameters in request and statement don't match.")
	}
	if s.Kind == Exists {
		inner, err := compile(s.Exists, parameters)
		if err != nil {
			return nil, err
		}
		outer := *inner
		outer.Statement = s
		return &outer, nil
	}
	return compile(s, parameters)
}

// checkKind returns an error for a text that is not a statement, or for an alias.
func (s *Statement) checkKind() error {
	if s.Kind == Exists {
		return s.Exists.checkKind()
	}
	switch {
	case s.Kind == Expression:
		return s.Expression.notAStatement()
	case s.Table == nil:
		return errorf("Only select from a single table or index is supported.")
	case s.Alias:
		return errorf("Aliasing is not supported")
	case s.Limit != nil:
		// No recording has the message.
		return at(s.Limit.Pos, "Unsupported clause: LIMIT")
	}
	return nil
}

// notAStatement returns the error for an expression in place of a statement.
func (n *Node) notAStatement() error {
	if name := n.operation(); name != "" {
		return errorf("Unsupported operation: %s", name)
	}
	return errExistsMisplaced()
}

// errExistsMisplaced returns the error for EXISTS, and for any operator in place of a statement.
func errExistsMisplaced() *Error {
	return errorf("EXISTS can only be used in ExecuteTransaction write requests.")
}

// operation returns the name of a kind of expression in messages, empty for an operator or a call.
func (n *Node) operation() string {
	switch n.Kind {
	case nodePath:
		if len(n.Steps) == 1 {
			return "Id"
		}
		return "Path"
	case nodeSteps:
		return "Path"
	case nodeString, nodeNumber, nodeTrue, nodeFalse, nodeNull, nodeIon:
		return "Lit"
	case nodeMissing:
		return "Missing"
	case nodeParameter:
		return "Parameter"
	case nodeList:
		return "List"
	case nodeStruct:
		return "Struct"
	case nodeBag:
		return "Bag"
	case nodeIs:
		return "IsType"
	case nodeCase:
		return n.Text
	case nodeUnary:
		if inner := n.Args[0]; n.Text != "NOT" && inner.Kind == nodeNumber {
			return "Lit"
		}
	}
	return ""
}

func compile(s *Statement, parameters []item.Value) (*Compiled, error) {
	c := &Compiled{Statement: s}
	if err := c.names(); err != nil {
		return nil, err
	}
	v := values{parameters}
	if err := c.columns(); err != nil {
		return nil, err
	}
	if s.Where != nil {
		if err := c.where(v); err != nil {
			return nil, err
		}
	}
	switch s.Kind {
	case Insert:
		return c, c.insert(v)
	case Update:
		return c, c.update(v)
	case Delete:
		if r := s.Returning; r != nil && (r.Modified || !r.Old) {
			return nil, errorf("Invalid returning clause: %s. Only RETURNING ALL OLD * is allowed in DELETE statements.", r)
		}
	}
	return c, nil
}

// names sets the names of the table and the index.
func (c *Compiled) names() error {
	if len(c.Table) > 2 {
		return errorf("A path may contain at most 2 components in the FROM clause")
	}
	for _, name := range c.Table {
		if name.Text == "" {
			return errorf("Path component cannot be an empty string")
		}
	}
	c.TableName = c.Table[0].Text
	if len(c.Table) == 2 {
		c.IndexName = c.Table[1].Text
	}
	return nil
}

// columns compiles the selections of a SELECT. The result has the last name of each path.
func (c *Compiled) columns() error {
	if c.Kind != Select || c.Star {
		return nil
	}
	var paths []expr.Path
	var names []string
	for _, n := range c.Columns {
		if n.Kind != nodePath {
			return at(n.Pos, "Unexpected path component")
		}
		path, err := n.path()
		if err != nil {
			return err
		}
		paths = append(paths, path)
		names = append(names, n.columnName())
	}
	c.Projection = expr.NewColumns(paths, names)
	return nil
}

// columnName returns the name of a selection's attribute in the result: the last name of its path, with the indexes
// that follow. (The name of an element of a list is not recorded.)
func (n *Node) columnName() string {
	last := len(n.Steps) - 1
	suffix := ""
	for ; last > 0 && n.Steps[last].Digits != ""; last-- {
		suffix = "[" + n.Steps[last].Digits + "]" + suffix
	}
	return n.Steps[last].Name + suffix
}

// path returns a document path.
func (n *Node) path() (expr.Path, error) {
	path := make(expr.Path, len(n.Steps))
	for i, s := range n.Steps {
		switch {
		case s.Star:
			return nil, at(n.Pos, "Unexpected path component")
		case s.Digits != "":
			path[i].Index = s.Index
		case s.Name == "":
			return nil, errorf("Path component cannot be an empty string")
		default:
			path[i].Name = s.Name
		}
	}
	return path, nil
}

// insert compiles the item of an INSERT.
func (c *Compiled) insert(v values) (err error) {
	switch n := c.Item; n.Kind {
	case nodeStruct:
		c.NewItem, err = v.structure(n, "", 0)
	case nodeParameter:
		c.NewItem = v.parameters[n.Index]
		if c.NewItem.Type() != item.Map { // no recording has the message
			err = errorf("Unsupported data type: %s", c.NewItem.Type())
		}
	default:
		_, err = v.value(n, "root", 0)
		if err == nil { // no recording has the message
			err = errorf("Unsupported data type: %s", n.operation())
		}
	}
	return err
}
