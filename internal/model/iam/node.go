package iam

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"gopkg.in/yaml.v3"
)

type nodeKind int

const (
	nodeNull nodeKind = iota
	nodeText
	nodeNumber
	nodeBool
	nodeList
	nodeObject
)

func (k nodeKind) String() string {
	return [...]string{"null", "a string", "a number", "a boolean", "a list", "an object"}[k]
}

// node is a value of a JSON or YAML document, with its place.
type node struct {
	kind    nodeKind
	text    string // of a string, number or boolean
	items   []*node
	members []member
	place   Position
	reached Position // how far IAM's parser has read JSON when it sees the value; zero for YAML
	end     Position // the same at the end of a JSON object
}

type member struct {
	name  string
	place Position
	value *node
}

// Position is a position in a document: a line and a character in it, both counted from 1.
type Position struct{ Line, Column int }

// SyntaxError reports a document that is not a valid policy. Its text is one line.
type SyntaxError struct {
	Position Position
	Path     string // such as Statement[0].Effect; empty for the document
	Problem  string // what is wrong, and what to write instead
	NotJSON  bool   // whether it is not even JSON
	Missing  string // the missing element; empty for other errors
	Message  string // what IAM says of it; empty if that is not known
}

// syntaxMessage returns IAM's message about a grammar error. IAM reports how far its parser has read: after the quote
// or the bracket that opens a value, or after a whole number or literal. Recorded are {}, an account as Principal
// (ack-api-quirks DDB-TABLE-352, 2026-10-09) and names of principals in lower case (IAM's CreateRole, 2026-08).
func (at Position) syntaxMessage() string {
	if at == (Position{}) {
		return ""
	}
	return fmt.Sprintf("Syntax error at position (%d,%d)", at.Line, at.Column)
}

func (e *SyntaxError) Error() string {
	at := fmt.Sprintf("line %d, column %d: ", e.Position.Line, e.Position.Column)
	if e.Path != "" {
		at += e.Path + ": "
	}
	return at + e.Problem
}

// Limits of a document, far above those of any policy that AWS accepts.
const (
	maxDepth    = 16
	maxNodes    = 20_000
	maxDocument = 256 << 10 // bytes
)

// jsonReader reads a JSON document into nodes.
type jsonReader struct {
	data  []byte
	d     *jsontext.Decoder
	count int

	offset  int // of the last position that was counted
	counted Position
}

func readJSON(data []byte) (*node, error) {
	if len(data) > maxDocument {
		return nil, &SyntaxError{Position: Position{1, 1}, Problem: fmt.Sprintf("a policy has at most %d bytes", maxDocument)}
	}
	r := &jsonReader{data: data, d: jsontext.NewDecoder(bytes.NewReader(data))}
	n, err := r.value(0)
	if err != nil {
		return nil, err
	}
	if _, err := r.d.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, &SyntaxError{Position: r.place(), Problem: "the document has text after its end", NotJSON: true}
	}
	return n, nil
}

// place returns the start of the next token.
func (r *jsonReader) place() Position {
	at := min(int(r.d.InputOffset()), len(r.data))
	for at < len(r.data) && strings.IndexByte(" \t\r\n,:", r.data[at]) >= 0 {
		at++
	}
	return r.position(at)
}

// position returns the position of a byte. It counts from the previous position unless that is after the byte.
func (r *jsonReader) position(offset int) Position {
	offset = min(offset, len(r.data))
	if offset < r.offset || r.counted == (Position{}) {
		r.offset, r.counted = 0, Position{1, 1}
	}
	passed := r.data[r.offset:offset]
	if lines := bytes.Count(passed, []byte("\n")); lines > 0 {
		r.counted = Position{r.counted.Line + lines, 1}
		passed = passed[bytes.LastIndexByte(passed, '\n')+1:]
	}
	r.counted.Column += utf8.RuneCount(passed)
	r.offset = offset
	return r.counted
}

func (r *jsonReader) token() (jsontext.Token, Position, error) {
	place := r.place()
	token, err := r.d.ReadToken()
	if err != nil {
		return token, place, &SyntaxError{Position: place, Problem: "this is not JSON: " + jsonProblem(err), NotJSON: true}
	}
	return token, place, nil
}

// jsonProblem returns the decoder's error without its position.
func jsonProblem(err error) string {
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) && syntactic.Err != nil {
		return syntactic.Err.Error()
	}
	return "it ends too early"
}

func (r *jsonReader) value(depth int) (*node, error) {
	if r.count++; r.count > maxNodes || depth > maxDepth {
		return nil, &SyntaxError{Position: r.place(), Problem: "no policy is this deep or long"}
	}
	token, place, err := r.token()
	if err != nil {
		return nil, err
	}
	n := &node{place: place, reached: Position{place.Line, place.Column + 1}}
	switch token.Kind() {
	case '{':
		n.kind = nodeObject
		return n, r.members(n, depth)
	case '[':
		n.kind = nodeList
		return n, r.items(n, depth)
	case '"':
		n.kind, n.text = nodeText, token.String()
		return n, nil
	case '0':
		n.kind, n.text = nodeNumber, token.String()
	case 't', 'f':
		n.kind, n.text = nodeBool, token.String()
	}
	n.reached = r.position(int(r.d.InputOffset()))
	return n, nil
}

func (r *jsonReader) members(n *node, depth int) error {
	for {
		token, place, err := r.token()
		if err != nil {
			return err
		}
		if token.Kind() == '}' {
			n.end = r.position(int(r.d.InputOffset()))
			return nil
		}
		name := token.String()
		value, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		n.members = append(n.members, member{name, place, value})
	}
}

func (r *jsonReader) items(n *node, depth int) error {
	for {
		if r.d.PeekKind() == ']' {
			_, err := r.d.ReadToken()
			return err
		}
		value, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		n.items = append(n.items, value)
	}
}

// readYAML converts a part of a YAML document to nodes.
func readYAML(y *yaml.Node) (*node, error) {
	count := 0
	return fromYAML(y, 0, &count)
}

func fromYAML(y *yaml.Node, depth int, count *int) (*node, error) {
	n := &node{place: Position{y.Line, y.Column}}
	if *count++; *count > maxNodes || depth > maxDepth {
		return nil, &SyntaxError{Position: n.place, Problem: "no policy is this deep or long"}
	}
	switch y.Kind {
	case yaml.DocumentNode:
		if len(y.Content) == 1 {
			return fromYAML(y.Content[0], depth+1, count)
		}
	case yaml.AliasNode:
		return fromYAML(y.Alias, depth+1, count)
	case yaml.MappingNode:
		n.kind = nodeObject
		return n, n.membersOf(y, depth, count)
	case yaml.SequenceNode:
		n.kind = nodeList
		for _, item := range y.Content {
			value, err := fromYAML(item, depth+1, count)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, value)
		}
	case yaml.ScalarNode:
		n.kind, n.text = scalarKind(y.ShortTag()), y.Value
	}
	return n, nil
}

func (n *node) membersOf(y *yaml.Node, depth int, count *int) error {
	for i := 0; i+1 < len(y.Content); i += 2 {
		name := y.Content[i]
		if slicesContain(n.members, name.Value) {
			return &SyntaxError{Position: Position{name.Line, name.Column},
				Problem: fmt.Sprintf("%q is there twice", name.Value)}
		}
		value, err := fromYAML(y.Content[i+1], depth+1, count)
		if err != nil {
			return err
		}
		n.members = append(n.members, member{name.Value, Position{name.Line, name.Column}, value})
	}
	return nil
}

func slicesContain(members []member, name string) bool {
	for _, m := range members {
		if m.name == name {
			return true
		}
	}
	return false
}

// scalarKind returns the kind of a YAML scalar; a date, such as a Version without quotes, is a string.
func scalarKind(tag string) nodeKind {
	switch tag {
	case "!!null":
		return nodeNull
	case "!!bool":
		return nodeBool
	case "!!int", "!!float":
		return nodeNumber
	}
	return nodeText
}
