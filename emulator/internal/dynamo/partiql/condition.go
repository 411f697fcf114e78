package partiql

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// maxOperators is the maximum number of operators and functions in a WHERE clause.
const maxOperators = 300

// conditions compiles a WHERE clause.
type conditions struct {
	values
	expr.Builder
	literals map[*Node]item.Value // by scan
}

// where compiles the WHERE clause.
func (c *Compiled) where(v values) error {
	w := conditions{v, expr.NewBuilder(), map[*Node]item.Value{}}
	if err := w.scan(c.Where); err != nil {
		return err
	}
	if err := checkMissing(c.Where); err != nil {
		return err
	}
	if count := countOperators(c.Where); count > maxOperators {
		return errorf("The expression contains too many operators; operator count: %d", count)
	}
	if c.Where.isNumberCall() || !c.Where.isTest() {
		return errorf("WHERE clause must contain an expression that resolves to a boolean")
	}
	root, err := w.test(c.Where)
	if err != nil {
		return err
	}
	if c.Condition, err = w.Condition(root); err != nil {
		return err
	}
	c.Keys = w.predicate(c.Where)
	return nil
}

// scan does the service's first checks in the order of the text: of functions, types and literals. It stores the values
// of the literals.
func (w conditions) scan(n *Node) error {
	if n.isLiteral() {
		value, err := w.value(n, "root", 0)
		w.literals[n] = value
		return err
	}
	switch n.Kind {
	case nodeSelect:
		return at(Position{n.Pos.Line, n.Pos.Column, len("SELECT")}, "Unsupported token in expression: SELECT")
	case nodeCall:
		if n.existsQuery() == nil && !expr.IsFunction(n.functionName()) {
			return at(n.Pos, "Unrecognized function: %s", n.functionName())
		}
	case nodeIs:
		if _, ok := testableTypes[n.Text]; !ok {
			return at(n.Args[0].Pos, "Unsupported data type for IS operator: %s. Supported data types are "+
				"[MISSING, NULL, BOOLEAN, BLOB, STRING, NUMERIC, STRUCT, TUPLE, LIST]", n.Text)
		}
	case nodeCase, nodeSteps: // no recording has the message
		return at(n.Pos, "Unsupported token in expression: %s", n.operation())
	case nodeIn:
		if err := w.scan(n.Args[0]); err != nil {
			return err
		}
		if n.Args[1].Kind == nodeList {
			return w.scanAll(n.Args[1].Args)
		}
		return w.scan(n.Args[1])
	}
	return w.scanAll(n.Args)
}

func (w conditions) scanAll(nodes []*Node) error {
	for _, n := range nodes {
		if err := w.scan(n); err != nil {
			return err
		}
	}
	return nil
}

// testableTypes are the types that IS tests, by the service's names; 0 means no value.
var testableTypes = map[string]item.Type{"MissingType": 0, "NullType": item.Null, "BooleanType": item.Bool,
	"BlobType": item.Binary, "StringType": item.String, "NumericType": item.Number, "StructType": item.Map,
	"TupleType": item.Map, "ListType": item.List}

// checkMissing returns an error for MISSING outside IS.
func checkMissing(n *Node) error {
	if n.Kind == nodeMissing {
		return errorf("MISSING must be compared using IS operator")
	}
	for _, arg := range n.Args {
		if err := checkMissing(arg); err != nil {
			return err
		}
	}
	return nil
}

// countOperators counts operators as the service does: NOT in IS NOT and NOT IN counts as one more.
func countOperators(n *Node) int {
	count := 0
	switch n.Kind {
	case nodeUnary, nodeBinary, nodeBetween, nodeIn, nodeLike, nodeIs, nodeCall:
		count = 1
	}
	for _, arg := range n.Args {
		count += countOperators(arg)
	}
	return count
}

// isTest reports whether a node is a condition.
func (n *Node) isTest() bool {
	switch n.Kind {
	case nodeBetween, nodeIn, nodeIs, nodeLike:
		return true
	case nodeUnary:
		return n.Text == "NOT"
	case nodeBinary:
		switch n.Text {
		case "AND", "OR", "=", "<>", "<", "<=", ">", ">=":
			return true
		}
		return strings.ContainsAny(n.Text, "+-*/%|") // test reports the operator
	case nodeCall:
		return expr.IsTest(n.functionName())
	}
	return false
}

func (n *Node) isNumberCall() bool { return n.Kind == nodeCall && n.functionName() == "size" }

// test compiles a condition.
func (w conditions) test(n *Node) (expr.Term, error) {
	switch n.Kind {
	case nodeUnary:
		if n.Text != "NOT" {
			return 0, unsupportedOperator(n)
		}
		inner, err := w.member(n, n.Args[0])
		return w.Not(inner), err
	case nodeBinary:
		return w.binary(n)
	case nodeBetween:
		operands, err := w.operands(n.Args)
		return w.Operator("BETWEEN", operands...), err
	case nodeIn:
		return w.in(n)
	case nodeIs:
		return w.is(n)
	case nodeCall:
		operands, err := w.operands(n.Args)
		return w.Function(n.functionName(), operands...), err
	}
	return 0, unsupportedOperator(n)
}

func unsupportedOperator(n *Node) error {
	name := n.Text
	if n.Kind == nodeLike {
		name = "LIKE"
	}
	return errorf("Unsupported operator in Condition Expression. Operator: %s", name)
}

func (w conditions) binary(n *Node) (expr.Term, error) {
	switch n.Text {
	case "AND", "OR":
		var terms []expr.Term
		for _, arg := range n.flatten() {
			term, err := w.member(n, arg)
			if err != nil {
				return 0, err
			}
			terms = append(terms, term)
		}
		if n.Text == "AND" {
			return w.And(terms...), nil
		}
		return w.Or(terms...), nil
	case "=", "<>", "<", "<=", ">", ">=":
		operands, err := w.operands(n.Args)
		return w.Operator(n.Text, operands...), err
	}
	return 0, unsupportedOperator(n)
}

// flatten returns the operands of a chain of the same operator, AND or OR.
func (n *Node) flatten() []*Node {
	var right []*Node
	left := n
	for left.Kind == nodeBinary && left.Text == n.Text {
		right = append(right, left.Args[1])
		left = left.Args[0]
	}
	all := []*Node{left}
	for i := len(right) - 1; i >= 0; i-- {
		if r := right[i]; r.Kind == nodeBinary && r.Text == n.Text {
			all = append(all, r.flatten()...)
		} else {
			all = append(all, r)
		}
	}
	return all
}

// member compiles an operand of AND, OR or NOT, which must be a condition.
func (w conditions) member(operator, n *Node) (expr.Term, error) {
	if n.isTest() {
		return w.test(n)
	}
	found := ""
	switch {
	case n.isNumberCall():
		found = "N"
	case n.isLiteral():
		found = w.literals[n].Type().String()
	default: // no recording has a bare path
		return 0, errorf("WHERE clause must contain an expression that resolves to a boolean")
	}
	return 0, errorf("Incorrect operand type for operator or function; operator or function: %s, operand type: %s",
		operator.Text, found)
}

func (w conditions) operands(nodes []*Node) ([]expr.Term, error) {
	terms := make([]expr.Term, len(nodes))
	for i, n := range nodes {
		var err error
		if terms[i], err = w.operand(n); err != nil {
			return terms, err
		}
	}
	return terms, nil
}

// operand compiles an operand: a path, a value, a size, or a condition with a boolean result.
func (w conditions) operand(n *Node) (expr.Term, error) {
	switch {
	case n.Kind == nodePath:
		path, err := n.path()
		return w.Path(path), err
	case n.isLiteral():
		return w.Value(w.literals[n]), nil
	case n.isNumberCall():
		operands, err := w.operands(n.Args)
		return w.Function("size", operands...), err
	case n.isTest():
		test, err := w.test(n)
		return w.Truth(test), err
	}
	return 0, unsupportedOperator(n)
}

// in compiles IN. A parameter in place of the list is the list of its elements.
func (w conditions) in(n *Node) (expr.Term, error) {
	left, err := w.operand(n.Args[0])
	if err != nil {
		return 0, err
	}
	terms := []expr.Term{left}
	if value := w.literals[n.Args[1]]; n.Args[1].Kind == nodeParameter && value.Type() == item.List {
		for e := range value.Elements() {
			terms = append(terms, w.Value(e))
		}
		return w.Operator("IN", terms...), nil
	}
	nodes := []*Node{n.Args[1]}
	if n.Args[1].Kind == nodeList {
		nodes = n.Args[1].Args
	}
	members, err := w.operands(nodes)
	return w.Operator("IN", append(terms, members...)...), err
}

func (w conditions) is(n *Node) (expr.Term, error) {
	inner := n.Args[0]
	if inner.Kind != nodePath && !inner.isLiteral() {
		return 0, errorf("The left hand side argument to IS must be a Variable Reference, Literal, or Path")
	}
	operand, err := w.operand(inner)
	return w.IsType(operand, testableTypes[n.Text]), err
}
