package engine

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// The interfaces by which an input describes itself. Each operation's file implements the ones it needs. What decides
// about a request before it runs, such as policies, faults and the memory budget, uses these and knows no operation.

// Traits are the properties of a request that fault rules match, in addition to its resources.
type Traits struct {
	EventuallyConsistent bool // it is an eventually consistent read
	Batch                bool // its members run one by one
	HoldsLatches         bool // it holds latches or other locks on its items while it runs
	Writes               bool
	Transaction          bool // it fails as a whole, with a reason for each member
	Pages                bool // it returns a page of items, and a key to continue from
	Stream               bool // it returns records of a stream, and an iterator to continue from
}

// traitsProvider is an input that has traits.
type traitsProvider interface {
	// Traits returns the input's traits.
	Traits() Traits
}

// TraitsOf returns the traits of any input; one without the method has none.
func TraitsOf(in wire.Input) Traits {
	if in, ok := in.(traitsProvider); ok {
		return in.Traits()
	}
	return Traits{}
}

// largeResponse is an input whose response may be large.
type largeResponse interface {
	// ResponseBytes returns the most bytes that are read for the response.
	ResponseBytes() int64
}

// ImpliedResourceNamer is an input that needs permission for more than it names.
type ImpliedResourceNamer interface {
	// AppendImpliedRefs appends what the operation uses besides what the request names.
	AppendImpliedRefs(dst []ResourceRef) []ResourceRef
}

// StatementInput is an input of PartiQL statements. A member is a statement, by the position of its resource reference.
type StatementInput interface {
	// PartitionKeys returns the values of the partition key that a statement reads or writes; nil if it reads all.
	PartitionKeys(member int, t *Table) []item.Value
	// IsFullScan reports whether a statement reads a whole table or index.
	IsFullScan(member int, t *Table) bool
}

// StatementBatch is an input of statements of which each fails alone.
type StatementBatch interface {
	// Deny makes a statement, by the position of its resource reference, fail with an error.
	Deny(member int, err error)
}

// KeyRangeReader is an input that reads a range of keys by a key condition.
type KeyRangeReader interface {
	// KeyCondition returns the key condition; nil if it does not fit the table, which the operation itself reports.
	KeyCondition(t *Table) *expr.KeyCondition
}

// ResourceRef is a resource that a request names: a table, an index, or an item. Whatever decides about a request
// before it runs, such as policies and faults, decides by these.
type ResourceRef struct {
	// Action is the name of the IAM action, such as "PutItem". Each member of a transaction has its own.
	Action string
	Table  string // its name as in the request; empty if the request is not about one table
	Index  string // empty: the table itself
	// Item contains the key attributes, perhaps among others; nil if the request does not name a single item.
	Item item.Value
	// Resource is the ARN of a resource other than a table or an index, such as a stream or a backup.
	Resource string
}

// resourceNamer is an input that names tables. It is called after the input was checked.
type resourceNamer interface {
	// AppendResourceRefs appends the resources that the input names, in the order of the request.
	AppendResourceRefs(dst []ResourceRef) []ResourceRef
}

// AppendResourceRefs appends the resources that any input names; one that names no table refers to the service itself.
func AppendResourceRefs(dst []ResourceRef, operation string, in wire.Input) []ResourceRef {
	t, ok := in.(resourceNamer)
	if !ok {
		return append(dst, ResourceRef{Action: operation})
	}
	from := len(dst)
	dst = t.AppendResourceRefs(dst)
	for i := range dst[from:] {
		if dst[from+i].Action == "" {
			dst[from+i].Action = operation
		}
	}
	return dst
}
