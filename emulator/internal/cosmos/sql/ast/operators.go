package ast

// UnaryOp is a prefix operator.
type UnaryOp uint8

// The unary operators.
const (
	Not UnaryOp = iota
	Minus
	Plus
	BitNot
)

var unaryText = [...]string{"NOT ", "-", "+", "~"}

// String returns the operator as written. NOT includes the space that follows it.
func (op UnaryOp) String() string { return unaryText[op] }

// BinaryOp is an infix operator.
type BinaryOp uint8

// The binary operators, in ascending order of precedence.
const (
	Coalesce BinaryOp = iota // ??
	Or
	And
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	BitOr
	BitXor
	BitAnd
	ShiftLeft
	ShiftRight
	ShiftRightZero // >>>
	Concat         // ||
	Add
	Sub
	Mul
	Div
	Mod
)

var binaryText = [...]string{
	"??", "OR", "AND", "=", "!=", "<", "<=", ">", ">=", "|", "^", "&", "<<", ">>", ">>>", "||", "+", "-", "*", "/", "%",
}

// String returns the operator as written.
func (op BinaryOp) String() string { return binaryText[op] }
