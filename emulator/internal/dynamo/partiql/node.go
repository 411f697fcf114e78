package partiql

// Statement is a parsed statement.
type Statement struct {
	Kind       Kind
	Table      []Name      // the table, and the index if there are two parts
	Alias      bool        // the table has an alias, which Compile refuses
	Star       bool        // SELECT *
	Columns    []*Node     // the other selections
	Where      *Node       // nil without a WHERE clause
	Order      []OrderTerm // ORDER BY
	Limit      *Node       // LIMIT, which Compile refuses
	Item       *Node       // of INSERT
	Actions    []Action    // of an UPDATE, in the order of the text
	Returning  *Returning  // nil without a RETURNING clause
	Exists     *Statement  // the SELECT in EXISTS
	Expression *Node       // of Expression, which Compile refuses
	FromFirst  bool        // the form FROM … SET
	Parameters int         // the number of question marks
}

// Kind is the kind of a statement.
type Kind byte

// The kinds of statements. Expression is a text that is not a statement but an expression.
const (
	Select Kind = iota + 1
	Insert
	Update
	Delete
	Exists
	Expression
)

// Name is a name in the text.
type Name struct {
	Text   string
	Quoted bool
}

// Action is one assignment of SET, or one path of REMOVE, whose Value is nil.
type Action struct {
	Path  *Node
	Value *Node
}

// OrderTerm is one term of ORDER BY.
type OrderTerm struct {
	Node       *Node
	Descending bool
	Nulls      string // first or last, if written
}

// Returning is a RETURNING clause.
type Returning struct{ Modified, Old bool }

// String returns the clause as messages show it.
func (r *Returning) String() string {
	text := "RETURNING ALL "
	if r.Modified {
		text = "RETURNING MODIFIED "
	}
	if r.Old {
		return text + "OLD *"
	}
	return text + "NEW *"
}

// ReturnValues returns the value of ReturnValues that requests the same of other operations, NONE without a clause.
func (r *Returning) ReturnValues() string {
	switch {
	case r == nil:
		return "NONE"
	case r.Modified && r.Old:
		return "UPDATED_OLD"
	case r.Modified:
		return "UPDATED_NEW"
	case r.Old:
		return "ALL_OLD"
	}
	return "ALL_NEW"
}

// NodeKind is the kind of a node.
type NodeKind byte

// The kinds of nodes.
const (
	nodePath      NodeKind = iota + 1 // Steps
	nodeString                        // Text
	nodeNumber                        // Text
	nodeTrue                          //
	nodeFalse                         //
	nodeNull                          //
	nodeMissing                       //
	nodeIon                           // Text
	nodeParameter                     // Index, from 0
	nodeList                          // Args; Tuple if written with parentheses
	nodeStruct                        // Args: a key and a value in turn
	nodeBag                           // Args
	nodeCall                          // Text, the function's name as written; Args
	nodeStar                          // the argument of COUNT(*)
	nodeSelect                        // a SELECT in an expression: Subquery
	nodeCase                          // CASE: Text is SimpleCase or SearchedCase; Args
	nodeUnary                         // Text: NOT, + or -; Args[0]
	nodeBinary                        // Text: the operator; Args[0], Args[1]
	nodeBetween                       // Args: operand, low, high
	nodeIn                            // Args: operand, then a list or another expression
	nodeLike                          // Args
	nodeIs                            // Text: the service's name of the type; Type: as written; Args[0]
	nodeSteps                         // a path whose root is not a name: Args[0], Steps
)

// Node is a node of an expression.
type Node struct {
	Kind     NodeKind
	Pos      Position // of its first token, or of its operator
	Text     string
	Type     string
	Args     []*Node
	Steps    []Step
	Index    int
	Paren    bool // in parentheses
	Tuple    bool
	Subquery *Statement
}

// Step is a step of a path: a name, or an index if Name is empty.
type Step struct {
	Name   string
	Quoted bool
	Index  int
	Digits string // the index as written
	Star   bool   // .* or [*]
}

// isName reports whether the node is a single name, such as the name of an attribute.
func (n *Node) isName() bool { return n.Kind == nodePath && len(n.Steps) == 1 }

// Attribute returns the attribute of a term of ORDER BY. Error: the term is not a name.
func (o OrderTerm) Attribute() (string, error) {
	n := o.Node
	if n.isName() {
		return n.Steps[0].Name, nil
	}
	found := n.Text
	if n.Kind == nodePath || n.Kind == nodeSteps {
		found = "PATH"
	}
	return "", at(n.Pos, "Argument to ORDER BY must be of type VariableReference. Type: %s", found)
}
