package partiql

// statement parses a statement, or an expression in place of one.
func (p *parser) statement() (*Statement, error) {
	switch t := p.peek(); {
	case t.is("select"):
		return p.selectStatement()
	case t.is("insert"):
		return p.insertStatement()
	case t.is("update"):
		return p.updateStatement()
	case t.is("delete"):
		return p.deleteStatement()
	case t.is("from"):
		return p.fromFirst()
	case t.is("set"), t.is("remove"):
		s := &Statement{Kind: Update}
		_, err := p.actions(s)
		return s, err
	}
	n, err := p.expression(precedenceNone)
	if err != nil {
		return nil, err
	}
	if s := n.existsQuery(); s != nil {
		return &Statement{Kind: Exists, Exists: s}, nil
	}
	return &Statement{Kind: Expression, Expression: n}, nil
}

// existsQuery returns the SELECT in EXISTS(SELECT …), nil for another expression.
func (n *Node) existsQuery() *Statement {
	if n.Kind == nodeCall && n.functionName() == "exists" && len(n.Args) == 1 && n.Args[0].Kind == nodeSelect {
		return n.Args[0].Subquery
	}
	return nil
}

func (p *parser) selectStatement() (*Statement, error) {
	s := &Statement{Kind: Select}
	p.next()
	if p.peek().is("from") {
		return nil, notWellFormed(
			"Expected identifier or an expression but found unexpected keyword 'from' in a select list.")
	}
	if p.accept("*") {
		s.Star = true
	} else if err := p.columns(s); err != nil {
		return nil, err
	}
	if !p.accept("from") {
		return nil, notWellFormed("Expected FROM after select list")
	}
	if err := p.source(s); err != nil {
		return nil, err
	}
	if err := p.where(s); err != nil {
		return nil, err
	}
	if err := p.orderBy(s); err != nil {
		return nil, err
	}
	return s, p.limit(s)
}

// columns parses the selections of a SELECT.
func (p *parser) columns(s *Statement) error {
	for {
		n, err := p.expression(precedenceNone)
		if err != nil {
			return err
		}
		s.Columns = append(s.Columns, n)
		if p.alias() {
			s.Alias = true
		}
		if !p.accept(",") {
			return nil
		}
	}
}

// source parses what follows FROM in a SELECT: a path, which may have an alias.
func (p *parser) source(s *Statement) error {
	n, err := p.pathTerm()
	if err != nil {
		return err
	}
	if s.Table = tableName(n); s.Table == nil {
		return errorf("Only select from a single table or index is supported.")
	}
	s.Alias = p.alias() || s.Alias
	return nil
}

// tableName returns the parts of a table's name, nil if the node is not a path of names.
func tableName(n *Node) (names []Name) {
	if n.Kind != nodePath {
		return nil
	}
	for _, step := range n.Steps {
		if step.Star || step.Digits != "" {
			return nil
		}
		names = append(names, Name{step.Name, step.Quoted})
	}
	return names
}

// alias consumes an alias, and reports whether there was one.
func (p *parser) alias() bool {
	if p.accept("as") {
		p.next()
		return true
	}
	if t := p.peek(); t.kind == tokenName || t.kind == tokenQuoted {
		p.next()
		return true
	}
	return false
}

func (p *parser) where(s *Statement) (err error) {
	if p.accept("where") {
		s.Where, err = p.expression(precedenceNone)
	}
	return err
}

func (p *parser) orderBy(s *Statement) error {
	if !p.peek().is("order") {
		return nil
	}
	if p.next(); !p.accept("by") {
		return notWellFormed("Expected BY after ORDER")
	}
	for {
		n, err := p.expression(precedenceNone)
		if err != nil {
			return err
		}
		term := OrderTerm{Node: n}
		if !p.accept("asc") {
			term.Descending = p.accept("desc")
		}
		if p.accept("nulls") {
			if term.Nulls = p.next().text; term.Nulls != "first" && term.Nulls != "last" {
				return notWellFormed("Unexpected token after expression")
			}
		}
		s.Order = append(s.Order, term)
		if !p.accept(",") {
			return nil
		}
	}
}

func (p *parser) limit(s *Statement) (err error) {
	if p.accept("limit") {
		s.Limit, err = p.expression(precedenceNone)
	}
	return err
}

// target parses the table of a write.
func (p *parser) target(s *Statement) error {
	n, err := p.simplePath()
	if err != nil {
		return err
	}
	if s.Table = tableName(n); s.Table == nil {
		return notWellFormed("Expected identifier for simple path")
	}
	return nil
}

// simplePath parses a path whose root is a name.
func (p *parser) simplePath() (*Node, error) {
	t := p.peek()
	if t.kind != tokenName && t.kind != tokenQuoted {
		return nil, notWellFormed("Expected identifier for simple path")
	}
	p.next()
	n := &Node{Kind: nodePath, Pos: t.pos, Steps: []Step{{Name: t.text, Quoted: t.kind == tokenQuoted}}}
	steps, err := p.steps()
	n.Steps = append(n.Steps, steps...)
	return n, err
}

func (p *parser) insertStatement() (*Statement, error) {
	s := &Statement{Kind: Insert}
	if p.next(); !p.accept("into") {
		return nil, notWellFormed("Unexpected keyword")
	}
	if err := p.target(s); err != nil {
		return nil, err
	}
	p.accept("value")
	var err error
	s.Item, err = p.expression(precedenceNone)
	return s, err
}

func (p *parser) updateStatement() (*Statement, error) {
	s := &Statement{Kind: Update}
	p.next()
	if err := p.target(s); err != nil {
		return nil, err
	}
	s.Alias = p.alias()
	if found, err := p.actions(s); err != nil {
		return nil, err
	} else if !found {
		return nil, notWellFormed("Expected data manipulation")
	}
	if err := p.where(s); err != nil {
		return nil, err
	}
	return s, p.returning(s)
}

// fromFirst parses FROM table WHERE … SET …, another form of UPDATE.
func (p *parser) fromFirst() (*Statement, error) {
	s := &Statement{Kind: Update, FromFirst: true}
	p.next()
	if err := p.source(s); err != nil {
		return nil, err
	}
	if p.peek().is("where") && (p.peekAfter().is("set") || p.peekAfter().is("remove")) {
		return nil, notWellFormed("Expected data manipulation")
	}
	if err := p.where(s); err != nil {
		return nil, err
	}
	if found, err := p.actions(s); err != nil {
		return nil, err
	} else if !found {
		return nil, notWellFormed("Expected data manipulation")
	}
	return s, p.returning(s)
}

func (p *parser) deleteStatement() (*Statement, error) {
	s := &Statement{Kind: Delete}
	if p.next(); !p.accept("from") {
		return nil, notWellFormed("Expected FROM after DELETE")
	}
	if err := p.target(s); err != nil {
		return nil, err
	}
	s.Alias = p.alias()
	if err := p.where(s); err != nil {
		return nil, err
	}
	return s, p.returning(s)
}

// actions parses SET and REMOVE clauses, and reports whether there were any. A SET has one or more assignments, a
// REMOVE one path.
func (p *parser) actions(s *Statement) (found bool, err error) {
	for {
		switch {
		case p.accept("set"):
			for more := true; more; more = p.accept(",") {
				if err := p.assignment(s); err != nil {
					return false, err
				}
			}
		case p.accept("remove"):
			path, err := p.simplePath()
			if err != nil {
				return false, err
			}
			s.Actions = append(s.Actions, Action{Path: path})
		default:
			return found, nil
		}
		found = true
	}
}

func (p *parser) assignment(s *Statement) error {
	path, err := p.simplePath()
	if err != nil {
		return err
	}
	if !p.accept("=") {
		return notWellFormed("Expected '='")
	}
	value, err := p.expression(precedenceNone)
	s.Actions = append(s.Actions, Action{path, value})
	return err
}

func (p *parser) returning(s *Statement) error {
	if !p.accept("returning") {
		return nil
	}
	s.Returning = new(Returning)
	switch {
	case p.accept("modified"):
		s.Returning.Modified = true
	case !p.accept("all"):
		return notWellFormed("Expected ALL or MODIFIED in a returning clause.")
	}
	switch {
	case p.accept("old"):
		s.Returning.Old = true
	case !p.accept("new"):
		return notWellFormed("Expected OLD or NEW in a returning clause.")
	}
	if !p.accept("*") {
		return notWellFormed("Expected STAR in a returning clause.")
	}
	return nil
}
