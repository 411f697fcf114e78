package dynamo

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"

// resourceRef is something that a request names: a table, an index, or an item. Who decides about a request before it runs, such
// as a policy or a fault, decides by its touches.
type resourceRef struct {
	// action is what a policy calls doing this, such as "PutItem"; of members of a transaction each their own.
	action string
	table  string // its name, as the request has it; empty where the request is about no one table
	index  string // empty: the table itself
	// item has the attributes of the key, among others perhaps; nil where the request names no single item.
	item item.Value
	// resource is the ARN, where table and index do not say it: of a stream, a backup.
	resource string
}

// resourceNamer is an input that names tables. appendResourceRefs appends what it touches, in the order of the request. It is asked
// once the input is checked.
type resourceNamer interface {
	appendResourceRefs(dst []resourceRef) []resourceRef
}

// appendResourceRefs appends what any input touches; one that is about no table touches the service itself.
func appendResourceRefs(dst []resourceRef, operation string, in input) []resourceRef {
	t, ok := in.(resourceNamer)
	if !ok {
		return append(dst, resourceRef{action: operation})
	}
	from := len(dst)
	dst = t.appendResourceRefs(dst)
	for i := range dst[from:] {
		if dst[from+i].action == "" {
			dst[from+i].action = operation
		}
	}
	return dst
}
