package doc

import "slices"

// Kind is the type of a value. The order of the kinds is the service's order of types, by which ORDER BY and indexes go
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

// String is the kind as JSON and the service's errors call it.
func (k Kind) String() string {
	return [...]string{"undefined", "null", "boolean", "number", "string", "array", "object"}[k]
}

// Value is one value; the zero Value is undefined. It must not be changed, nor what its methods return.
type Value struct {
	kind    Kind
	num     float64 // of a number; 1 for true
	str     string  // of a string; of a whole number that is no double, its digits
	list    []Value
	members []Member
}

// Member is a property of an object.
type Member struct {
	Name  string
	Value Value
}

// NullValue is null.
func NullValue() Value { return Value{kind: Null} }

// Bool is true or false.
func Bool(b bool) Value {
	if b {
		return Value{kind: Boolean, num: 1}
	}
	return Value{kind: Boolean}
}

// Number is a number, which must be finite: JSON has no other.
func Number(n float64) Value { return Value{kind: Numeric, num: n} }

// String is a string of UTF-8.
func String(s string) Value { return Value{kind: Text, str: s} }

// Array is an array of elements, which it keeps.
func Array(elements ...Value) Value { return Value{kind: List, list: elements} }

// Object is an object of members, which it keeps, in their order. Names are to be different.
func Object(members ...Member) Value { return Value{kind: Map, members: members} }

// Kind is the value's type.
func (v Value) Kind() Kind { return v.kind }

// Defined says that the value is not undefined.
func (v Value) Defined() bool { return v.kind != Undefined }

// IsTrue says that the value is the boolean true, and nothing else: what a filter lets pass.
func (v Value) IsTrue() bool { return v.kind == Boolean && v.num == 1 }

// Bool is a boolean's value; false of anything else.
func (v Value) Bool() bool { return v.IsTrue() }

// Float is a number's value; 0 of anything else.
func (v Value) Float() float64 {
	if v.kind != Numeric {
		return 0
	}
	return v.num
}

// Str is a string's value; empty of anything else.
func (v Value) Str() string {
	if v.kind != Text {
		return ""
	}
	return v.str
}

// Elements are an array's elements; none of anything else.
func (v Value) Elements() []Value { return v.list }

// Members are an object's members, in their order; none of anything else.
func (v Value) Members() []Member { return v.members }

// Len is the number of elements or members.
func (v Value) Len() int { return len(v.list) + len(v.members) }

// Extent is how large a value is by itself, without its parts: the bytes of its text and the number of its elements and
// members. Like Member it takes a pointer, for who looks at many values: they are large, and each method of a copy
// copies one.
func (v *Value) Extent() (text, parts int) {
	if v.kind == Text {
		text = len(v.str)
	}
	return text, len(v.list) + len(v.members)
}

// Field is an object's property; undefined where there is none, and of anything else.
func (v Value) Field(name string) Value {
	for i := range v.members {
		if v.members[i].Name == name {
			return v.members[i].Value
		}
	}
	return Value{}
}

// Member is Field without a copy: the property in its place, which must not be written to; nil where there is none.
func (v *Value) Member(name string) *Value {
	for i := range v.members {
		if v.members[i].Name == name {
			return &v.members[i].Value
		}
	}
	return nil
}

// At is an array's element, from 0; undefined beyond its ends, and of anything else.
func (v Value) At(i int) Value {
	if i < 0 || i >= len(v.list) {
		return Value{}
	}
	return v.list[i]
}

// With is an object with a property set: in its place where it was, at the end where it is new. Of anything that is not
// an object it is an object of that property alone.
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

// Without is an object without a property.
func (v Value) Without(name string) Value {
	members := slices.DeleteFunc(slices.Clone(v.members), func(m Member) bool { return m.Name == name })
	return Value{kind: v.kind, num: v.num, str: v.str, list: v.list, members: members}
}
