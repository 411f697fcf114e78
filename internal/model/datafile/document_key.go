package datafile

import (
	"fmt"
	"slices"
	"strings"
)

// PartitionKey returns the partition key of a document: the values at the paths of its container, such as /customer/id.
// Errors: a value that is missing, or that is a list or a map.
func PartitionKey(document Item, paths []string) (key []Value, err error) {
	for _, path := range paths {
		v, ok := lookup(document, path)
		switch {
		case !ok:
			return nil, fmt.Errorf("the document has no partition key %s", path)
		case !slices.Contains([]Type{String, Number, Bool, Null}, v.Type):
			return nil, fmt.Errorf("the partition key %s is not a string, number, true, false or null", path)
		}
		key = append(key, v)
	}
	return key, nil
}

// lookup returns the value at a path; a name with other characters than letters and digits is in quotes.
func lookup(document Item, path string) (v Value, ok bool) {
	v.Map = document
	for name := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if v, ok = v.Map.Get(strings.Trim(name, `"`)); !ok {
			return v, false
		}
	}
	return v, true
}

// DocumentID returns the id of a document. Errors: none, or one that is not a string.
func DocumentID(document Item) (string, error) {
	if id, ok := document.Get("id"); ok && id.Type == String {
		return id.Text, nil
	}
	return "", fmt.Errorf(`the document has no "id" that is a string`)
}

// DocumentIdentity returns a text that only documents with the same partition key and id have.
func DocumentIdentity(record *Record, paths []string) (string, error) {
	if record.Delete {
		return "", fmt.Errorf("documents are not deleted by an import")
	}
	id, err := DocumentID(record.Item)
	if err != nil {
		return "", err
	}
	key, err := PartitionKey(record.Item, paths)
	text := []string{id}
	for _, v := range key {
		text = append(text, string(v.Type)+v.Identity()+fmt.Sprint(v.Bool))
	}
	return strings.Join(text, "\x00"), err
}

// PartitionKeyHeader returns a partition key as the header x-ms-documentdb-partitionkey has it: a JSON array in ASCII.
func PartitionKeyHeader(key []Value) string {
	text := appendArray(nil, key, func(dst []byte, v Value) []byte { return appendPlainValue(dst, v, false) })
	var out strings.Builder
	for _, r := range string(text) {
		switch {
		case r < 0x7f:
			out.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			r -= 0x10000 // a pair of surrogates
			fmt.Fprintf(&out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		}
	}
	return out.String()
}
