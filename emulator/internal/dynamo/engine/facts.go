package engine

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// What an input tells of itself besides its members, each in the file of its operation. Who decides about a request
// before it runs, such as a policy, a fault or the memory of its answer, asks for these and knows no operation.

// traits are what rules of faults go by besides the resources that a request names.
type Traits struct {
	Eventual    bool // it reads, and an older state would do
	Batch       bool // its members are done one by one
	Holds       bool // it keeps others from its items while it runs
	Writes      bool
	Transaction bool // it is refused as a whole, with a reason for each member
}

// traited is an input that has traits.
type traited interface {
	// Traits are the input's.
	Traits() Traits
}

// TraitsOf are the traits of any input; one that has no method for them has none.
func TraitsOf(in wire.Input) Traits {
	if in, ok := in.(traited); ok {
		return in.Traits()
	}
	return Traits{}
}

// largeAnswer is an input whose answer may be large.
type largeAnswer interface {
	// AnswerBytes is the size in bytes of all that is read for the answer at the most.
	AnswerBytes() int64
}

// ImpliedRefs is an input that needs leave for more than it names.
type ImpliedRefs interface {
	// AppendImpliedRefs appends what the operation uses besides what the request names.
	AppendImpliedRefs(dst []ResourceRef) []ResourceRef
}

// KeyReader is an input that reads what a condition on a key says.
type KeyReader interface {
	// KeyOn is the condition; nil where it does not fit the table, which running the request will tell.
	KeyOn(t *Table) *expr.KeyCondition
}
