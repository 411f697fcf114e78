package doc

import (
	"errors"
	"fmt"
	"strings"
)

// PartitionKeyDefinition defines how a container's items are partitioned: the paths of the values that make up the
// partition key.
type PartitionKeyDefinition struct {
	Paths     []string // such as /tenant or /"a b"/c: one, or up to three for a hierarchical key
	Kind      string   // KindHash (also if empty) or KindMultiHash
	Version   int      // of the hash: 1 or 2; 0 means 1
	SystemKey bool     // the key is /_partitionKey, of a container created without a partition key
}

// The kinds of a partition key definition.
const (
	KindHash      = "Hash"
	KindMultiHash = "MultiHash"
)

// Hierarchical reports whether the key has several levels, so that requests can use a prefix of a key.
func (d *PartitionKeyDefinition) Hierarchical() bool { return d.Kind == KindMultiHash }

// PartitionKey contains the values of an item's partition key, one per path. An undefined value means that the item
// lacks the property. An empty key is what SDKs call None: the key of items without the property.
type PartitionKey []Value

// ErrPartitionKeyValue is the error for a partition key value that is not a string, a number, a boolean or null.
var ErrPartitionKeyValue = errors.New("the value of a partition key must be a string, a number, a boolean or null")

// FromDocument returns the partition key of a document. Errors: ErrPartitionKeyValue if a path leads to an array or a
// non-empty object, or through a value that is not an object.
func (d *PartitionKeyDefinition) FromDocument(document Value) (PartitionKey, error) {
	key := make(PartitionKey, 0, len(d.Paths))
	for _, path := range d.Paths {
		v, err := valueAtPath(document, path)
		if err != nil {
			return nil, err
		}
		key = append(key, v)
	}
	return key, nil
}

func valueAtPath(v Value, path string) (Value, error) {
	for name, rest, ok := nextSegment(path); ok; name, rest, ok = nextSegment(rest) {
		if v.Kind() != Map {
			return Value{}, ErrPartitionKeyValue
		}
		if v = v.Field(name); !v.Defined() {
			return v, nil
		}
	}
	return checkComponent(v)
}

// checkComponent returns a value as a component of a key: the empty object stands for undefined.
func checkComponent(v Value) (Value, error) {
	switch {
	case v.Kind() == Map && v.Len() == 0:
		return Value{}, nil
	case v.Kind() == Map, v.Kind() == List:
		return Value{}, ErrPartitionKeyValue
	}
	return v, nil
}

// PathSegments returns the property names in a partition key path. The error for an invalid path is a sentence.
func PathSegments(path string) ([]string, error) {
	names := []string{}
	rest := path
	for rest != "" {
		name, more, ok := nextSegment(rest)
		if !ok || name == "" {
			return nil, fmt.Errorf("the partition key path %q is not valid", path)
		}
		names, rest = append(names, name), more
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("the partition key path %q is not valid", path)
	}
	return names, nil
}

// nextSegment splits off the first segment of a path. A quoted segment may contain slashes; a backslash before a quote
// escapes it and stays in the name.
func nextSegment(path string) (name, rest string, ok bool) {
	if len(path) < 2 || path[0] != '/' {
		return "", "", false
	}
	path = path[1:]
	if quote := path[0]; quote == '"' || quote == '\'' {
		end := closingQuote(path, quote)
		if end < 0 || end+1 < len(path) && path[end+1] != '/' {
			return "", "", false
		}
		return path[1:end], path[end+1:], true
	}
	if end := strings.IndexByte(path, '/'); end >= 0 {
		return strings.TrimSpace(path[:end]), path[end:], true
	}
	return strings.TrimSpace(path), "", true
}

func closingQuote(path string, quote byte) int {
	for i := 1; i < len(path); i++ {
		switch path[i] {
		case '\\':
			i++
		case quote:
			return i
		}
	}
	return -1
}

// Equal reports whether two keys are equal, component by component.
func (k PartitionKey) Equal(other PartitionKey) bool {
	if len(k) != len(other) {
		return false
	}
	for i := range k {
		if !Equal(k[i], other[i]) {
			return false
		}
	}
	return true
}

// Append appends the key as in its header: a JSON array with {} for undefined components.
func (k PartitionKey) Append(dst []byte) []byte {
	dst = append(dst, '[')
	for i, v := range k {
		if i > 0 {
			dst = append(dst, ',')
		}
		if !v.Defined() {
			dst = append(dst, "{}"...)
			continue
		}
		dst = Append(dst, v)
	}
	return append(dst, ']')
}

// String returns the key as in its header.
func (k PartitionKey) String() string { return string(k.Append(nil)) }
