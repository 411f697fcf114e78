package expr

import (
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// Placeholders are the ExpressionAttributeNames and ExpressionAttributeValues of one request, in its order. They record
// which of them the request's expressions used. A nil slice means that the parameter was not sent. A nil *Placeholders
// has none.
type Placeholders struct {
	Names  []Name
	Values []Value

	names, values map[string]int // positions, made once there are many
}

// Name is an attribute name with a placeholder of the form #name.
type Name struct {
	Placeholder string
	Attribute   string
	used        bool
}

// Value is a value with a placeholder of the form :name.
type Value struct {
	Placeholder string
	Value       item.Value
	used        bool
}

// The maximum lengths of a placeholder and of an attribute name, in bytes.
const (
	maxPlaceholder   = 255
	maxAttributeName = 65535
)

// mapThreshold is the number of placeholders from which lookups use a map.
const mapThreshold = 16

// Check returns the service's error about the placeholders themselves. It precedes the parsing of expressions.
func (p *Placeholders) Check() error {
	if p.Names != nil && len(p.Names) == 0 {
		return errorf("ExpressionAttributeNames must not be empty")
	}
	for _, n := range p.Names {
		if err := n.check(); err != nil {
			return err
		}
	}
	if p.Values != nil && len(p.Values) == 0 {
		return errorf("ExpressionAttributeValues must not be empty")
	}
	for _, v := range p.Values {
		if err := checkPlaceholder("ExpressionAttributeValues", v.Placeholder, tokenValue); err != nil {
			return err
		}
	}
	return nil
}

func (n Name) check() error {
	if err := checkPlaceholder("ExpressionAttributeNames", n.Placeholder, tokenName); err != nil {
		return err
	}
	const invalid = "ExpressionAttributeNames contains invalid value: "
	if err := checkAttributeName(n.Attribute); err != nil {
		return errorf(invalid+"%v for key %s", err, n.Placeholder)
	}
	return nil
}

// checkAttributeName returns an error for an attribute's name that is empty or too long.
func checkAttributeName(name string) error {
	switch {
	case name == "":
		return errorf("Empty attribute name")
	case len(name) > maxAttributeName:
		return errorf("Attribute name is too large, must be less than 65536 bytes")
	}
	return nil
}

func checkPlaceholder(param, key string, kind tokenKind) error {
	if len(key) > maxPlaceholder {
		return errorf("%s contains invalid key: The expression attribute map contains a key that is too long; "+
			"size of key: %d", param, len(key))
	}
	if t := next(key, 0); t.kind != kind || t.start != 0 || t.end != len(key) {
		return errorf(`%s contains invalid key: Syntax error; key: "%s"`, param, key)
	}
	return nil
}

func (n Name) key() string  { return n.Placeholder }
func (v Value) key() string { return v.Placeholder }

// name returns an attribute name, and marks it as used.
func (p *Placeholders) name(placeholder string) (string, bool) {
	if p == nil {
		return "", false
	}
	i := find(p.Names, &p.names, placeholder)
	if i < 0 {
		return "", false
	}
	p.Names[i].used = true
	return p.Names[i].Attribute, true
}

// value returns a value, and marks it as used.
func (p *Placeholders) value(placeholder string) (item.Value, bool) {
	if p == nil {
		return nil, false
	}
	i := find(p.Values, &p.values, placeholder)
	if i < 0 {
		return nil, false
	}
	p.Values[i].used = true
	return p.Values[i].Value, true
}

// find returns the position of a placeholder, -1 if there is none. Many placeholders are indexed once, so that no
// expression takes quadratic time.
func find[T interface{ key() string }](all []T, index *map[string]int, key string) int {
	if len(all) < mapThreshold {
		return slices.IndexFunc(all, func(t T) bool { return t.key() == key })
	}
	if *index == nil {
		*index = make(map[string]int, len(all))
		for i, t := range all {
			(*index)[t.key()] = i
		}
	}
	if i, ok := (*index)[key]; ok {
		return i
	}
	return -1
}

// Unused returns the service's error about placeholders that no expression of the request used. It is called after all
// expressions are parsed.
func (p *Placeholders) Unused() error {
	var unused []string
	for _, n := range p.Names {
		if !n.used {
			unused = append(unused, n.Placeholder)
		}
	}
	if unused != nil {
		return errUnused("ExpressionAttributeNames", unused)
	}
	for _, v := range p.Values {
		if !v.used {
			unused = append(unused, v.Placeholder)
		}
	}
	if unused != nil {
		return errUnused("ExpressionAttributeValues", unused)
	}
	return nil
}

func errUnused(param string, keys []string) error {
	return errorf("Value provided in %s unused in expressions: keys: {%s}", param, strings.Join(keys, ", "))
}
