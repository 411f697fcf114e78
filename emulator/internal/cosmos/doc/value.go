package doc

import "slices"

// Kind is the type of a value. The order of the kinds is the service's order of types, which ORDER BY and indexes use
// ("ORDER BY clause in Azure Cosmos DB for NoSQL").
type Kind uint8

// The kinds.
const (
	Undefined Kind = iota
	Null
	Boolean
	Numeric
	Text
	List
	Map
)

// String returns the name of the kind in JSON and in the service's errors.
func (k Kind) String() string {
	return [...]string{"undefined", "null", "boolean", "number", "string", "array", "object"}[k]
}

// Value is a value; the zero Value is undefined. Values are immutable, and so are the slices that their methods return.
type Value struct {
	kind    Kind
	num     float64 // of a number; 1 for true
	str     string  // of a string; the digits of an integer that a double cannot represent
	list    []Value
	members []Member
}

// Member is a property of an object.
type Member struct {
	Name  string
	Value Value
}

// NullValue returns null.
func NullValue() Value { return Value{kind: Null} }

// Bool returns true or false.
func Bool(b bool) Value {
	if b {
		return Value{kind: Boolean, num: 1}
	}
	return Value{kind: Boolean}
}

// Number returns a number, which must be finite to be written as JSON.
func Number(n float64) Value { return Value{kind: Numeric, num: n} }

// String returns a string, which must be UTF-8.
func String(s string) Value { return Value{kind: Text, str: s} }

// Array returns an array. It keeps elements.
func Array(elements ...Value) Value { return Value{kind: List, list: elements} }

// Object returns an object with members in the given order. It keeps members, whose names must be distinct.
func Object(members ...Member) Value { return Value{kind: Map, members: members} }

// Kind returns the value's type.
func (v Value) Kind() Kind { return v.kind }

// Defined reports whether the value is not undefined.
func (v Value) Defined() bool { return v.kind != Undefined }

// IsTrue reports whether the value is the boolean true. Filters accept nothing else.
func (v Value) IsTrue() bool { return v.kind == Boolean && v.num == 1 }

// Bool returns a boolean's value; false for other values.
func (v Value) Bool() bool { return v.IsTrue() }

// Float returns a number's value; 0 for other values.
func (v Value) Float() float64 {
	if v.kind != Numeric {
		return 0
	}
	return v.num
}

// Str returns a string's value; empty for other values.
func (v Value) Str() string {
	if v.kind != Text {
		return ""
	}
	return v.str
}

// Elements returns an array's elements; nil for other values.
func (v Value) Elements() []Value { return v.list }

// Members returns an object's members in order; nil for other values.
func (v Value) Members() []Member { return v.members }

// Len returns the number of elements or members.
func (v Value) Len() int { return len(v.list) + len(v.members) }

// Extent returns the size of a value without its parts: the bytes of its text, and the number of its elements or
// members. Like Member it has a pointer receiver, for callers that visit many values: a Value is large, and each method
// with a value receiver copies it.
func (v *Value) Extent() (text, parts int) {
	if v.kind == Text {
		text = len(v.str)
	}
	return text, len(v.list) + len(v.members)
}

// Field returns an object's property; undefined if there is none, and for other values.
func (v Value) Field(name string) Value {
	for i := range v.members {
		if v.members[i].Name == name {
			return v.members[i].Value
		}
	}
	return Value{}
}

// Member is Field without the copy: it returns a pointer to the property, or nil. The caller must not modify the
// property.
func (v *Value) Member(name string) *Value {
	for i := range v.members {
		if v.members[i].Name == name {
			return &v.members[i].Value
		}
	}
	return nil
}

// At returns an array's element, from 0; undefined if out of range, and for other values.
func (v Value) At(i int) Value {
	if i < 0 || i >= len(v.list) {
		return Value{}
	}
	return v.list[i]
}

// With returns an object with a property replaced, or appended if it is new. For a value that is not an object, it
// returns an object with only that property.
func (v Value) With(name string, value Value) Value {
	members := make([]Member, 0, len(v.members)+1)
	members = append(members, v.members...)
	for i := range members {
		if members[i].Name == name {
			members[i].Value = value
			return Value{kind: Map, members: members}
		}
	}
	return Value{kind: Map, members: append(members, Member{name, value})}
}

// Without returns an object without a property.
func (v Value) Without(name string) Value {
	members := slices.DeleteFunc(slices.Clone(v.members), func(m Member) bool { return m.Name == name })
	return Value{kind: v.kind, num: v.num, str: v.str, list: v.list, members: members}
}
