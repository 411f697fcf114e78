package datafile

import (
	"fmt"
	"slices"
	"strings"
)

// NewTable returns a table on demand. key has one or two attributes, as SplitType reads them, the partition key first.
// Errors: a number of attributes, or a type, that a key cannot have.
func NewTable(name string, key []string) (*Schema, error) {
	if len(key) < 1 || len(key) > 2 {
		return nil, fmt.Errorf("key has %d attributes: a key has one or two", len(key))
	}
	s := &Schema{TableName: name, BillingMode: onDemand}
	for n, text := range key {
		attribute, of := SplitType(text)
		if attribute == "" || !isKeyType(of) {
			return nil, fmt.Errorf("key %q is invalid: use NAME:TYPE, with the type S, N or B", text)
		}
		s.AttributeDefinitions = append(s.AttributeDefinitions, AttributeDefinition{attribute, of})
		s.KeySchema = append(s.KeySchema, KeyElement{attribute, []string{"HASH", "RANGE"}[n]})
	}
	return s, nil
}

// SplitType splits NAME:TYPE at the last colon. The type of NAME alone is S.
func SplitType(text string) (string, Type) {
	if at := strings.LastIndexByte(text, ':'); at >= 0 {
		return text[:at], Type(text[at+1:])
	}
	return text, String
}

// isKeyType reports whether an attribute of a key can have the type.
func isKeyType(of Type) bool { return slices.Contains([]Type{String, Number, Binary}, of) }
