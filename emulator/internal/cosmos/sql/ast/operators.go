package ast

// UnaryOp is an operator before its operand.
type UnaryOp uint8

// The unary operators.
const (
	Not UnaryOp = iota
	Minus
	Plus
	BitNot
)

var unaryText = [...]string{"NOT ", "-", "+", "~"}

// String is the operator as it is written, with the space that NOT needs behind it.
func (op UnaryOp) String() string { return unaryText[op] }

// BinaryOp is an operator between its operands.
type BinaryOp uint8

// The binary operators, those that bind least first.
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

// String is the operator as it is written.
func (op BinaryOp) String() string { return binaryText[op] }
