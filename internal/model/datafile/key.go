package datafile

import (
	"fmt"
	"strings"
)

// TableKey is the key of a table: the names and types of its attributes, the partition key first.
type TableKey []AttributeDefinition

// TableKey returns the key of the table.
func (s *Schema) TableKey() (key TableKey) {
	types := s.KeyTypes()
	for _, name := range s.Key() {
		key = append(key, AttributeDefinition{name, types[name]})
	}
	return key
}

// Of returns a text that only items with the same key have. Errors: the reason why the table cannot have the item.
func (k TableKey) Of(item Item) (string, error) {
	var text []string
	for _, a := range k {
		v, ok := item.Get(a.AttributeName)
		switch {
		case !ok:
			return "", fmt.Errorf("the key attribute %q is missing", a.AttributeName)
		case v.Type != a.AttributeType:
			return "", fmt.Errorf("the key attribute %q has the type %s, but the table's key has %s", a.AttributeName, v.Type,
				a.AttributeType)
		}
		text = append(text, v.Identity())
	}
	return strings.Join(text, "\x00"), nil
}

// Only returns the attributes of the key.
func (k TableKey) Only(item Item) (key Item) {
	for _, a := range k {
		if v, ok := item.Get(a.AttributeName); ok {
			key = append(key, Attribute{a.AttributeName, v})
		}
	}
	return key
}
