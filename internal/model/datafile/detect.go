package datafile

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// detected is what the beginning of a file says about it.
type detected struct {
	format Format
	layout layout
	member string // of layout inMember: the array's name
}

// layout is how the records of a JSON file follow one another.
type layout int

const (
	inLines  layout = iota
	inValues        // after one another, with line breaks inside
	inArray
	inMember // in an array that is a member of one object, as in the output of aws dynamodb scan
)

var errUnknownFormat = errors.New("not JSON and not CSV: use a file of a supported format")

// detect finds the format of a file by its beginning.
func detect(head []byte) (detected, error) {
	text := bytes.TrimLeft(head, " \t\r\n")
	switch {
	case len(text) == 0:
		return detected{}, errors.New("the file is empty")
	case bytes.IndexByte(head, 0) >= 0:
		return detected{}, errUnknownFormat
	case text[0] == '{':
		return detectObject(text), nil
	case text[0] == '[':
		s := sketchOf(text)
		return detected{format: itemFormat(s.first), layout: inArray}, nil
	}
	return detected{format: CSV}, nil
}

func detectObject(text []byte) detected {
	s := sketchOf(text)
	items := s.member("Items")
	switch {
	case s.member("DataModel").is('['):
		return detected{format: Workbench}
	case s.member("KeySchema").is('['), s.member("Table").member("KeySchema").is('['),
		s.member("TableDescription").member("KeySchema").is('['):
		return detected{format: DescribeTable}
	case items.is('[') && (items.first.isItem() || s.member("ScannedCount").is('0')):
		return detected{format: DynamoJSON, layout: inMember, member: "Items"}
	case s.only().is('[') && s.only().first.member("PutRequest").is('{'):
		return detected{format: DynamoJSON, layout: inMember, member: s.names[0]}
	}
	d := detected{format: itemFormat(s)}
	if isCut(text) {
		d.layout = inValues
	}
	return d
}

// isCut reports whether the first line is the beginning of a JSON value that ends on another line.
func isCut(text []byte) bool {
	line, _, hasEnd := bytes.Cut(text, []byte("\n"))
	if !hasEnd {
		return false // a line that is longer than the beginning, or the only one
	}
	_, err := newDecoder(line, false).ReadValue()
	return errors.Is(err, io.ErrUnexpectedEOF)
}

// itemFormat tells plain JSON from DynamoDB JSON.
func itemFormat(s *sketch) Format {
	image := s.member("NewImage").isItem() || s.member("Keys").isItem() && s.member("Metadata").is('{')
	if s.isItem() || s.member("Item").isItem() || s.member("PutRequest").member("Item").isItem() || image {
		return DynamoJSON
	}
	return JSON
}

// sketch is the beginning of a JSON value: a few levels of it, as far as it is known.
type sketch struct {
	kind   jsontext.Kind
	names  []string
	values []*sketch
	first  *sketch // of an array
}

// sketchLevels is how many levels of a value are in a sketch: {"PutRequest": {"Item": {"id": {"S": …}}}}.
const sketchLevels = 5

func sketchOf(text []byte) *sketch {
	s, _ := sketchValue(newDecoder(text, false), sketchLevels)
	return s
}

// sketchValue reads a value, and reports whether it was complete.
func sketchValue(d decoder, levels int) (s *sketch, complete bool) {
	s = &sketch{kind: d.PeekKind()}
	if levels == 0 || s.kind != '{' && s.kind != '[' {
		return s, d.SkipValue() == nil
	}
	if _, err := d.ReadToken(); err != nil {
		return s, false
	}
	for d.PeekKind() != '}' && d.PeekKind() != ']' {
		if s.kind == '{' {
			name, err := d.ReadToken()
			if err != nil {
				return s, false
			}
			s.names = append(s.names, name.String())
		}
		value, complete := sketchValue(d, levels-1)
		if s.first == nil {
			s.first = value
		}
		if s.values = append(s.values, value); !complete {
			return s, false
		}
	}
	_, err := d.ReadToken()
	return s, err == nil
}

// member returns a member of an object, or nil.
func (s *sketch) member(name string) *sketch {
	if s == nil || s.kind != '{' {
		return nil
	}
	if i := slices.Index(s.names, name); i >= 0 && i < len(s.values) {
		return s.values[i]
	}
	return nil
}

// only returns the first member of an object, or nil.
func (s *sketch) only() *sketch {
	if s == nil || s.kind != '{' || len(s.values) == 0 {
		return nil
	}
	return s.values[0]
}

func (s *sketch) is(kind jsontext.Kind) bool { return s != nil && s.kind == kind }

// isItem reports whether all members are values in DynamoDB JSON.
func (s *sketch) isItem() bool {
	if !s.is('{') || len(s.values) == 0 {
		return false
	}
	for _, v := range s.values {
		if !v.isTyped() {
			return false
		}
	}
	return true
}

// isTyped reports whether a value is one of DynamoDB JSON, such as {"S": "text"}.
func (s *sketch) isTyped() bool {
	if !s.is('{') || len(s.names) != 1 || !slices.Contains(allTypes(), Type(s.names[0])) {
		return false
	}
	content := s.only()
	switch Type(s.names[0]) {
	case String, Number, Binary:
		return content.is('"')
	case Bool, Null:
		return content.is('t') || content.is('f')
	case Map:
		return content.is('{')
	}
	return content.is('[')
}
