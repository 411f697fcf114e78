package doc

import (
	"errors"
	"fmt"
	"strings"
)

// PartitionKeyDefinition is how a container's items are spread: the paths of the values that say where an item lives.
type PartitionKeyDefinition struct {
	Paths     []string // such as /tenant or /"a b"/c: one, or up to three of a hierarchical key
	Kind      string   // KindHash (also when empty) or KindMultiHash
	Version   int      // 1 or 2, of the hash; 1 when it is 0
	SystemKey bool     // the key is /_partitionKey, of a container that was made without one
}

// The kinds of a partition key definition.
const (
	KindHash      = "Hash"
	KindMultiHash = "MultiHash"
)

// Hierarchical says that a key of the definition has several levels, a prefix of which may be asked for.
func (d *PartitionKeyDefinition) Hierarchical() bool { return d.Kind == KindMultiHash }

// PartitionKey is the values of an item's partition key, one a path. An undefined one is a property that an item has
// not. No value at all is what SDKs call None: the key of an item without the property.
type PartitionKey []Value

// ErrPartitionKeyValue is an item whose partition key is no string, number, boolean or null.
var ErrPartitionKeyValue = errors.New("the value of a partition key must be a string, a number, a boolean or null")

// Of is the partition key of a document. The error is ErrPartitionKeyValue where a path meets an array, an object that
// has members or, before its end, anything but an object.
func (d *PartitionKeyDefinition) Of(document Value) (PartitionKey, error) {
	key := make(PartitionKey, 0, len(d.Paths))
	for _, path := range d.Paths {
		v, err := follow(document, path)
		if err != nil {
			return nil, err
		}
		key = append(key, v)
	}
	return key, nil
}

func follow(v Value, path string) (Value, error) {
	for name, rest, ok := nextSegment(path); ok; name, rest, ok = nextSegment(rest) {
		if v.Kind() != Map {
			return Value{}, ErrPartitionKeyValue
		}
		if v = v.Field(name); !v.Defined() {
			return v, nil
		}
	}
	return component(v)
}

// component is a value as part of a key: the empty object stands for undefined.
func component(v Value) (Value, error) {
	switch {
	case v.Kind() == Map && v.Len() == 0:
		return Value{}, nil
	case v.Kind() == Map, v.Kind() == List:
		return Value{}, ErrPartitionKeyValue
	}
	return v, nil
}

// PathSegments are the names of the properties that a partition key path leads through. The error, a sentence, is of a
// path that is none.
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

// nextSegment takes the first segment off a path. A quoted one may hold slashes; a backslash in it keeps a quote from
// ending it, and stays.
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

// Equal says that two keys are the same, component by component.
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

// Append writes the key as its header has it: a JSON array, an undefined component as {}.
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

// String is the key as its header has it.
func (k PartitionKey) String() string { return string(k.Append(nil)) }
