package transfer

import (
	"bytes"
	"errors"
	"fmt"
)

// ionRecords reads Ion text, which has on each line a version marker and a struct with the field Item (AWS, "Amazon S3
// import formats for DynamoDB").
type ionRecords struct {
	lines *lineReader
	json  ionToJSON
}

// ionMembers are the fields of a line that are converted. The others have no effect.
var ionMembers = map[string]func(c *ionToJSON) error{
	"Item":                      (*ionToJSON).item,
	"ConditionExpression":       (*ionToJSON).quoted,
	"ExpressionAttributeNames":  (*ionToJSON).names,
	"ExpressionAttributeValues": (*ionToJSON).item,
}

func (r *ionRecords) next() ([]byte, error) {
	line, err := r.lines.next()
	if err != nil {
		return nil, tooLarge(err)
	}
	return r.json.convert(line)
}

// The errors for a line that is not an item. The words are ours; the service's are not recorded.
var (
	errNotIon   = errors.New("the line is not Ion text")
	errIonDepth = errors.New("the line is nested too deeply")
)

// maxIonDepth is the deepest nesting that is read, beyond that of any item.
const maxIonDepth = 100

// ionToJSON converts lines of Ion to DynamoDB JSON, which the decoder of requests then checks.
type ionToJSON struct {
	ionScanner
	out   []byte
	text  []byte // of the last string, symbol or blob
	depth int
}

// convert returns a line as DynamoDB JSON. It is valid until the next one.
func (c *ionToJSON) convert(line []byte) ([]byte, error) {
	c.ionScanner, c.out, c.depth = ionScanner{rest: line}, append(c.out[:0], '{'), 0
	c.skipSpace()
	if bytes.HasPrefix(c.rest, []byte("$ion_1_0")) {
		c.rest = c.rest[len("$ion_1_0"):]
		c.skipSpace()
	}
	if !c.take('{') {
		return nil, errNotIon
	}
	found := map[string]bool{}
	err := c.fields(func(field []byte) error {
		name := string(field)
		convert, known := ionMembers[name]
		if !known || found[name] {
			return c.skipValue()
		}
		if len(found) > 0 {
			c.out = append(c.out, ',')
		}
		found[name] = true
		c.out = append(append(append(c.out, '"'), name...), `":`...)
		return convert(c)
	})
	if c.skipSpace(); err == nil && len(c.rest) > 0 {
		err = errNotIon
	}
	c.out = append(c.out, '}')
	return c.out, err
}

// skipValue converts a value and drops the result.
func (c *ionToJSON) skipValue() error {
	at := len(c.out)
	err := c.value()
	c.out = c.out[:at]
	return err
}

// fields reads the fields of a struct after its brace. field reads the value.
func (c *ionToJSON) fields(field func(name []byte) error) error {
	for first := true; ; first = false {
		c.skipSpace()
		if c.take('}') {
			return nil
		}
		if !first && !c.take(',') {
			return errNotIon
		}
		if c.skipSpace(); !first && c.take('}') { // Ion allows a comma at the end
			return nil
		}
		var err error
		if c.text, err = c.fieldName(c.text[:0]); err != nil {
			return err
		}
		if c.skipSpace(); !c.take(':') {
			return errNotIon
		}
		if err := field(c.text); err != nil {
			return err
		}
	}
}

// item converts a struct to an object of attribute values.
func (c *ionToJSON) item() error {
	if c.skipSpace(); !c.take('{') {
		return errNotIon
	}
	return c.mapEntries()
}

// names converts a struct of strings to an object.
func (c *ionToJSON) names() error {
	if c.skipSpace(); !c.take('{') {
		return errNotIon
	}
	return c.entries(c.quoted)
}

// mapEntries converts the fields of a struct to an object of attribute values.
func (c *ionToJSON) mapEntries() error { return c.entries(c.value) }

// entries converts the fields of a struct to the members of an object. convert converts a value.
func (c *ionToJSON) entries(convert func() error) error {
	c.out = append(c.out, '{')
	first := true
	err := c.fields(func(name []byte) error {
		if !first {
			c.out = append(c.out, ',')
		}
		first = false
		c.out = append(appendJSONString(c.out, name), ':')
		return convert()
	})
	c.out = append(c.out, '}')
	return err
}

// value converts a value to an attribute value. An annotation other than those of sets has no effect.
func (c *ionToJSON) value() error {
	if c.depth++; c.depth > maxIonDepth {
		return errIonDepth
	}
	defer func() { c.depth-- }()
	set := ""
	for c.skipSpace(); ; c.skipSpace() {
		name, ok := c.annotation()
		if !ok {
			break
		}
		if name, ok := bytes.CutPrefix(name, []byte("$dynamodb_")); ok {
			set = string(name)
		}
	}
	switch {
	case set != "":
		return c.set(set)
	case c.take('['):
		c.out = append(c.out, `{"L":[`...)
		err := c.elements(c.value)
		c.out = append(c.out, "]}"...)
		return err
	case c.takeAll("{{"):
		return c.binary()
	case c.take('{'):
		c.out = append(c.out, `{"M":`...)
		err := c.mapEntries()
		c.out = append(c.out, '}')
		return err
	}
	return c.scalar()
}

// elements reads the elements of a list after its bracket.
func (c *ionToJSON) elements(element func() error) error {
	for first := true; ; first = false {
		c.skipSpace()
		if c.take(']') {
			return nil
		}
		if !first {
			if !c.take(',') {
				return errNotIon
			}
			if c.skipSpace(); c.take(']') {
				return nil
			}
			c.out = append(c.out, ',')
		}
		if err := element(); err != nil {
			return err
		}
	}
}

// set converts a list with the annotation of a set.
func (c *ionToJSON) set(kind string) error {
	var member func() error
	switch kind {
	case "SS":
		member = c.quoted
	case "NS":
		member = c.number
	case "BS":
		member = func() error {
			if !c.takeAll("{{") {
				return errNotIon
			}
			return c.base64()
		}
	default:
		return fmt.Errorf("the annotation $dynamodb_%s is not one of a set", kind)
	}
	if !c.take('[') {
		return errNotIon
	}
	c.out = append(append(append(c.out, `{"`...), kind...), `":[`...)
	err := c.elements(member)
	c.out = append(c.out, "]}"...)
	return err
}

// scalar converts a string, a number, a boolean or null.
func (c *ionToJSON) scalar() error {
	switch b := c.peek(); {
	case b == '"', b == '\'':
		c.out = append(c.out, `{"S":`...)
		err := c.quoted()
		c.out = append(c.out, '}')
		return err
	case b == '-', b >= '0' && b <= '9':
		c.out = append(c.out, `{"N":`...)
		err := c.number()
		c.out = append(c.out, '}')
		return err
	}
	word := c.word()
	switch kind, _, _ := bytes.Cut(word, []byte(".")); {
	case string(word) == "true", string(word) == "false":
		c.out = append(append(append(c.out, `{"BOOL":`...), word...), '}')
	case string(kind) == "null":
		c.out = append(c.out, `{"NULL":true}`...)
	case len(word) == 0:
		return errNotIon
	default:
		return fmt.Errorf("an Ion symbol is not an attribute value: %.40q", word)
	}
	return nil
}

// quoted converts a string to a JSON string.
func (c *ionToJSON) quoted() error {
	c.skipSpace()
	var err error
	if c.text, err = c.stringText(c.text[:0]); err != nil {
		return err
	}
	c.out = appendJSONString(c.out, c.text)
	return nil
}

// number converts a decimal or an integer to the text of a number, in quotes.
func (c *ionToJSON) number() error {
	c.skipSpace()
	c.out = append(c.out, '"')
	digits := 0
	for _, b := range c.word() {
		switch {
		case b == '_':
		case b == 'd', b == 'D':
			c.out = append(bytes.TrimSuffix(c.out, []byte(".")), 'e')
		case b >= '0' && b <= '9':
			digits++
			c.out = append(c.out, b)
		case b == '-', b == '+', b == '.':
			c.out = append(c.out, b)
		default: // a float, a timestamp, another base
			return errors.New("the number is not an Ion decimal")
		}
	}
	if digits == 0 {
		return errNotIon
	}
	c.out = append(bytes.TrimSuffix(c.out, []byte(".")), '"')
	return nil
}

// binary converts a blob after its braces.
func (c *ionToJSON) binary() error {
	c.out = append(c.out, `{"B":`...)
	err := c.base64()
	c.out = append(c.out, '}')
	return err
}

// base64 converts the text of a blob, which may have white space, to a JSON string.
func (c *ionToJSON) base64() error {
	c.out = append(c.out, '"')
	end := bytes.Index(c.rest, []byte("}}"))
	if end < 0 {
		return errNotIon
	}
	for _, b := range c.rest[:end] {
		switch {
		case isIonSpace(b):
		case isBase64(b):
			c.out = append(c.out, b)
		default: // a clob
			return errors.New("an Ion clob is not an attribute value")
		}
	}
	c.rest = c.rest[end+2:]
	c.out = append(c.out, '"')
	return nil
}

func isBase64(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '+' || b == '/' || b == '='
}
