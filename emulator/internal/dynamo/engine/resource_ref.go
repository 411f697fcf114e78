package engine

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// ResourceRef is something that a request names: a table, an index, or an item. Who decides about a request before it
// runs, such as a policy or a fault, decides by these.
type ResourceRef struct {
	// Action is what a policy calls doing this, such as "PutItem"; of members of a transaction each their own.
	Action string
	Table  string // its name, as the request has it; empty where the request is about no one table
	Index  string // empty: the table itself
	// Item has the attributes of the key, among others perhaps; nil where the request names no single item.
	Item item.Value
	// Resource is the ARN, where table and index do not say it: of a stream, a backup.
	Resource string
}

// resourceNamer is an input that names tables. It is asked once it is checked.
type resourceNamer interface {
	// AppendResourceRefs appends what the input names, in the order of the request.
	AppendResourceRefs(dst []ResourceRef) []ResourceRef
}

// AppendResourceRefs appends what any input names; one that is about no table names the service itself.
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
