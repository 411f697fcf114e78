package datafile

import (
	"encoding/base64"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// ParseDynamoJSON reads an item in DynamoDB JSON: {"id": {"S": "7"}}.
func ParseDynamoJSON(text []byte) (Item, error) {
	d := newDecoder(text, false)
	item, err := d.dynamoMap("the item")
	if err != nil {
		return nil, err
	}
	return item, d.end()
}

func (d decoder) dynamoMap(what string) (Item, error) {
	item := Item{}
	err := d.object(what, func(name string) error {
		value, err := d.dynamoValue(name)
		item = append(item, Attribute{name, value})
		return err
	})
	return item, err
}

// dynamoValue reads a value such as {"S": "7"}.
func (d decoder) dynamoValue(name string) (value Value, err error) {
	what := strconv.Quote(name)
	err = d.object(what, func(kind string) error {
		if value.Type != "" {
			return fmt.Errorf("%s has more than one type", what)
		}
		value.Type = Type(kind)
		return d.dynamoContent(name, &value)
	})
	if err == nil && value.Type == "" {
		err = fmt.Errorf("%s has no type: write a value such as {\"S\": \"text\"}", what)
	}
	return value, err
}

// dynamoContent reads what follows a value's type.
func (d decoder) dynamoContent(name string, v *Value) (err error) {
	what := strconv.Quote(name) + " " + string(v.Type)
	switch v.Type {
	case String:
		v.Text, err = d.text(what)
	case Number:
		v.Text, err = d.dynamoNumber(what)
	case Binary:
		v.Text, err = d.binary(what)
	case Bool:
		v.Bool, err = d.boolean(what)
	case Null:
		_, err = d.boolean(what)
	case StringSet:
		v.Members, err = d.texts(what, d.text)
	case NumberSet:
		v.Members, err = d.texts(what, d.dynamoNumber)
	case BinarySet:
		v.Members, err = d.texts(what, d.binary)
	case Map:
		v.Map, err = d.dynamoMap(what)
	case List:
		v.List = []Value{}
		err = d.array(what, func() error {
			element, err := d.dynamoValue(name)
			v.List = append(v.List, element)
			return err
		})
	default:
		err = fmt.Errorf("%q has the unknown type %q", name, v.Type)
	}
	return err
}

// dynamoNumber reads a number, which DynamoDB writes as a string.
func (d decoder) dynamoNumber(what string) (string, error) {
	text, err := d.text(what)
	if err == nil && !isNumber(text) {
		err = fmt.Errorf("%s %q is not a number", what, text)
	}
	return text, err
}

// AppendDynamoJSON appends an item in DynamoDB JSON, on one line.
func AppendDynamoJSON(dst []byte, item Item) []byte {
	dst = append(dst, '{')
	for i, a := range item {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendDynamoValue(append(appendString(dst, a.Name), ':'), a.Value)
	}
	return append(dst, '}')
}

func appendDynamoValue(dst []byte, v Value) []byte {
	dst = append(append(append(dst, `{"`...), v.Type...), `":`...)
	switch v.Type {
	case String, Number:
		dst = appendString(dst, v.Text)
	case Binary:
		dst = appendBase64(dst, v.Text)
	case Bool:
		dst = strconv.AppendBool(dst, v.Bool)
	case Null:
		dst = append(dst, "true"...)
	case StringSet, NumberSet:
		dst = appendArray(dst, v.Members, appendString)
	case BinarySet:
		dst = appendArray(dst, v.Members, appendBase64)
	case List:
		dst = appendArray(dst, v.List, appendDynamoValue)
	case Map:
		dst = AppendDynamoJSON(dst, v.Map)
	}
	return append(dst, '}')
}

func appendArray[T any](dst []byte, all []T, add func([]byte, T) []byte) []byte {
	dst = append(dst, '[')
	for i, one := range all {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = add(dst, one)
	}
	return append(dst, ']')
}

// appendString appends a JSON string. What is not UTF-8 is replaced: no service returns such a text.
func appendString(dst []byte, text string) []byte {
	dst, _ = jsontext.AppendQuote(dst, text)
	return dst
}

func appendBase64(dst []byte, content string) []byte {
	return append(base64.StdEncoding.AppendEncode(append(dst, '"'), []byte(content)), '"')
}
