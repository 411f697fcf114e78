package dynamo

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"

// What an input tells of itself besides its members, each in the file of its operation. Who decides about a request before it runs,
// such as a policy, a fault or the memory of its answer, asks for these and knows no operation.

// traits are what rules of faults go by besides the resources that a request names.
type traits struct {
	eventual    bool // it reads, and an older state would do
	batch       bool // its members are done one by one
	holds       bool // it keeps others from its items while it runs
	writes      bool
	transaction bool // it is refused as a whole, with a reason for each member
}

// traitsOf are the traits of any input; one that has no method for them has none.
func traitsOf(in input) traits {
	if in, ok := in.(interface{ traits() traits }); ok {
		return in.traits()
	}
	return traits{}
}

// largeAnswer is an input whose answer may be large.
type largeAnswer interface {
	answerBytes() int64 // the most that is read for the answer
}

// impliedRefs is an input that needs leave for more than it names.
type impliedRefs interface {
	appendImpliedRefs(dst []resourceRef) []resourceRef
}

// keyReader is an input that reads what a condition on a key says.
type keyReader interface {
	// keyOn is the condition; nil where it does not fit the table, which running the request will tell.
	keyOn(t *table) *expr.KeyCondition
}
