package datafile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The names of the objects that stand for sets and binary values in plain JSON, as in the web console.
const (
	stringSetMarker = "$stringSet"
	numberSetMarker = "$numberSet"
	binaryMarker    = "$binary"
	binarySetMarker = "$binarySet"
	mapMarker       = "$map" // a map that has only one of these names
)

func isMarker(name string) bool {
	return slices.Contains([]string{stringSetMarker, numberSetMarker, binaryMarker, binarySetMarker, mapMarker}, name)
}

// ParseJSON reads an item in plain JSON, {"id": "7"}. With markers, the objects {"$stringSet": ["a"]}, {"$numberSet":
// [1]}, {"$binary": "AAE="} and {"$binarySet": ["AAE="]} are sets and binary values, and {"$map": {…}} is a map that
// has such a name.
func ParseJSON(text []byte, markers bool) (Item, error) {
	d := newDecoder(text, markers)
	item, err := d.plainMap("the item")
	if err != nil {
		return nil, err
	}
	return item, d.end()
}

// ValueColumn is the attribute that a result of Cosmos DB has which is no document, as of SELECT VALUE.
const ValueColumn = "value"

// ParseResult reads a result of Cosmos DB, a document or any other JSON value.
func ParseResult(text []byte) (Item, error) {
	if item, err := ParseJSON(text, false); err == nil {
		return item, nil
	}
	return ParseJSON(fmt.Appendf(nil, "{%q:%s}", ValueColumn, text), false)
}

func (d decoder) plainMap(what string) (Item, error) {
	item := Item{}
	err := d.object(what, func(name string) error {
		value, err := d.plainValue(name)
		item = append(item, Attribute{name, value})
		return err
	})
	return item, err
}

// plainValue reads a value of any kind; name is the attribute's, for messages.
func (d decoder) plainValue(name string) (v Value, err error) {
	switch d.PeekKind() {
	case '"':
		v.Type = String
		v.Text, err = d.text(name)
	case '0':
		v.Type = Number
		v.Text, err = d.plainNumber(name)
	case 't', 'f':
		v.Type = Bool
		v.Bool, err = d.boolean(name)
	case 'n':
		v.Type = Null
		_, err = d.ReadToken()
	case '[':
		v.Type, v.List = List, []Value{}
		err = d.array(name, func() error {
			element, err := d.plainValue(name)
			v.List = append(v.List, element)
			return err
		})
	default:
		return d.plainObject(name)
	}
	return v, err
}

// plainNumber reads a number with the digits that it is written with.
func (d decoder) plainNumber(name string) (string, error) {
	if d.PeekKind() != '0' {
		return "", d.unexpected(strconv.Quote(name) + " is not a number")
	}
	raw, err := d.ReadValue()
	return string(raw), err
}

// plainObject reads an object: a map, or what a marker stands for.
func (d decoder) plainObject(name string) (Value, error) {
	item, isWrapped := Item{}, false
	err := d.object(strconv.Quote(name), func(member string) (err error) {
		var value Value
		if isWrapped = len(item) == 0 && d.markers && member == mapMarker && d.PeekKind() == '{'; isWrapped {
			value.Type = Map
			value.Map, err = d.plainMap(strconv.Quote(member))
		} else {
			value, err = d.plainValue(member)
		}
		item = append(item, Attribute{member, value})
		return err
	})
	switch {
	case err != nil:
		return Value{}, err
	case isWrapped: // and nothing else, because it was the last member
		return item[0].Value, nil
	}
	return d.resolve(name, item)
}

// resolve returns the value of an object: what its only member stands for if that is a marker, or else a map.
func (d decoder) resolve(name string, item Item) (Value, error) {
	asMap := Value{Type: Map, Map: item}
	if !d.markers || len(item) != 1 {
		return asMap, nil
	}
	marker, content := item[0].Name, item[0].Value
	what := strconv.Quote(name) + " " + marker
	switch {
	case marker == binaryMarker && content.Type == String:
		text, err := fromBase64(what, content.Text)
		return Value{Type: Binary, Text: text}, err
	case marker == stringSetMarker && content.Type == List:
		return setOf(StringSet, what, content.List, String, keepText)
	case marker == numberSetMarker && content.Type == List:
		return setOf(NumberSet, what, content.List, Number, keepText)
	case marker == binarySetMarker && content.Type == List:
		return setOf(BinarySet, what, content.List, String, fromBase64)
	}
	return asMap, nil
}

func keepText(_, text string) (string, error) { return text, nil }

// setOf returns the set of a list's elements, which all have one type.
func setOf(set Type, what string, list []Value, element Type,
	read func(what, text string) (string, error)) (Value, error) {
	v := Value{Type: set}
	for _, e := range list {
		if e.Type != element {
			return v, fmt.Errorf("%s has a member of another type", what)
		}
		text, err := read(what, e.Text)
		if err != nil {
			return v, err
		}
		v.Members = append(v.Members, text)
	}
	if len(v.Members) == 0 {
		return v, fmt.Errorf("the set %s is empty", what)
	}
	return v, nil
}

// AppendJSON appends an item in plain JSON, on one line. With markers, ParseJSON reads the same item again; without,
// sets become arrays and binary values base64.
func AppendJSON(dst []byte, item Item, markers bool) []byte {
	dst = append(dst, '{')
	for i, a := range item {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendPlainValue(append(appendString(dst, a.Name), ':'), a.Value, markers)
	}
	return append(dst, '}')
}

func appendPlainValue(dst []byte, v Value, markers bool) []byte {
	switch v.Type {
	case String:
		return appendString(dst, v.Text)
	case Number:
		return appendNumber(dst, v.Text)
	case Bool:
		return strconv.AppendBool(dst, v.Bool)
	case Null:
		return append(dst, "null"...)
	case List:
		return appendArray(dst, v.List, func(dst []byte, v Value) []byte { return appendPlainValue(dst, v, markers) })
	}
	marker := markerOf(v)
	if !markers || marker == "" {
		return appendUnmarked(dst, v, markers)
	}
	dst = append(append(append(dst, `{"`...), marker...), `":`...)
	return append(appendUnmarked(dst, v, markers), '}')
}

// appendUnmarked appends a set, a binary value or a map as JSON has them.
func appendUnmarked(dst []byte, v Value, markers bool) []byte {
	switch v.Type {
	case StringSet:
		return appendArray(dst, v.Members, appendString)
	case NumberSet:
		return appendArray(dst, v.Members, appendNumber)
	case BinarySet:
		return appendArray(dst, v.Members, appendBase64)
	case Binary:
		return appendBase64(dst, v.Text)
	}
	return AppendJSON(dst, v.Map, markers)
}

// markerOf returns the marker that a value needs, or "".
func markerOf(v Value) string {
	switch {
	case v.Type == StringSet:
		return stringSetMarker
	case v.Type == NumberSet:
		return numberSetMarker
	case v.Type == Binary:
		return binaryMarker
	case v.Type == BinarySet:
		return binarySetMarker
	case len(v.Map) > 0 && isMarker(v.Map[0].Name):
		return mapMarker
	}
	return ""
}

// appendNumber appends a number as JSON has it, with the same digits: DynamoDB also reads .5, 1. and +1.
func appendNumber(dst []byte, text string) []byte {
	if text[0] == '-' {
		dst = append(dst, '-')
	}
	mantissa, exponent := trimSign(text), ""
	if at := strings.IndexAny(mantissa, "eE"); at >= 0 {
		mantissa, exponent = mantissa[:at], mantissa[at:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	dst = append(dst, whole...)
	if fraction != "" {
		dst = append(append(dst, '.'), fraction...)
	}
	return append(dst, exponent...)
}
