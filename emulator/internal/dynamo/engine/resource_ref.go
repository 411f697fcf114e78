package engine

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

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
