package datafile

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Type is the type of an attribute value, as DynamoDB names it.
type Type string

// The types of attribute values.
const (
	String    Type = "S"
	Number    Type = "N"
	Binary    Type = "B"
	Bool      Type = "BOOL"
	Null      Type = "NULL"
	List      Type = "L"
	Map       Type = "M"
	StringSet Type = "SS"
	NumberSet Type = "NS"
	BinarySet Type = "BS"
)

// allTypes returns all types, in the order of messages.
func allTypes() []Type {
	return []Type{String, Number, Binary, Bool, Null, List, Map, StringSet, NumberSet, BinarySet}
}

// IsValid reports whether it is one of the types.
func (t Type) IsValid() bool { return slices.Contains(allTypes(), t) }

// Value is an attribute value, or a value of a JSON document. Which fields it uses depends on its type.
type Value struct {
	Type    Type
	Text    string   // of a string; the digits of a number, which are kept; the bytes of a binary value
	Bool    bool     // of a Boolean
	Members []string // of a set; written like Text
	List    []Value  // of a list
	Map     Item     // of a map
}

// Item is an item, a document or a map: its attributes in the order of the file.
type Item []Attribute

// Attribute is a named value.
type Attribute struct {
	Name  string
	Value Value
}

// Get returns the value of an attribute, and whether there is one.
func (i Item) Get(name string) (Value, bool) {
	for _, a := range i {
		if a.Name == name {
			return a.Value, true
		}
	}
	return Value{}, false
}

// Sort sorts the attributes by name, those of the key first, in the order of the key.
func (i Item) Sort(key ...string) {
	rank := func(name string) int {
		if n := slices.Index(key, name); n >= 0 {
			return n
		}
		return len(key)
	}
	slices.SortFunc(i, func(a, b Attribute) int {
		return cmp.Or(rank(a.Name)-rank(b.Name), cmp.Compare(a.Name, b.Name))
	})
}

// String returns a text for people: that of a string, a number in its digits, other values as plain JSON.
func (v Value) String() string {
	switch v.Type {
	case String, Number:
		return v.Text
	case "":
		return ""
	}
	return string(appendPlainValue(nil, v, true))
}

// Identity returns a text that equal scalar values have in common: 1 and 1.0 are the same number.
func (v Value) Identity() string {
	if v.Type != Number || !isNumber(v.Text) {
		return v.Text
	}
	mantissa, exponentText, _ := strings.Cut(strings.ToLower(trimSign(v.Text)), "e")
	exponent, _ := strconv.Atoi(exponentText)
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	exponent -= len(fraction)
	if digits == "" {
		return "0"
	}
	significant := strings.TrimRight(digits, "0")
	sign := ""
	if v.Text[0] == '-' {
		sign = "-"
	}
	return fmt.Sprintf("%s%se%d", sign, significant, exponent+len(digits)-len(significant))
}

// isNumber reports whether DynamoDB reads the text as a number: 5, -1.50, .5, +1E10. The service checks its size.
func isNumber(text string) bool {
	rest := trimSign(text)
	whole, rest := leadingDigits(rest)
	fraction := 0
	if len(rest) > 0 && rest[0] == '.' {
		fraction, rest = leadingDigits(rest[1:])
	}
	if whole+fraction == 0 {
		return false
	}
	if rest == "" {
		return true
	}
	if rest[0] != 'e' && rest[0] != 'E' {
		return false
	}
	exponent, rest := leadingDigits(trimSign(rest[1:]))
	return exponent > 0 && rest == ""
}

func trimSign(text string) string {
	if text != "" && (text[0] == '+' || text[0] == '-') {
		return text[1:]
	}
	return text
}

// leadingDigits returns how many digits a text begins with, and the rest.
func leadingDigits(text string) (count int, rest string) {
	for count < len(text) && text[count] >= '0' && text[count] <= '9' {
		count++
	}
	return count, text[count:]
}
