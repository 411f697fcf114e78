package partiql

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// maxLiteralDepth is the number of enclosing lists and maps from which a value is nested too deeply.
const maxLiteralDepth = item.MaxDepth

// values turns literals and parameters into values.
type values struct{ parameters []item.Value }

// isLiteral reports whether a node is a value that does not depend on an item.
func (n *Node) isLiteral() bool {
	switch n.Kind {
	case nodeString, nodeNumber, nodeTrue, nodeFalse, nodeNull, nodeIon, nodeParameter, nodeList, nodeStruct, nodeBag:
		return true
	}
	return false
}

// value returns the value of a literal. path is its position in the value of an attribute, for messages: root, root.x
// or root[1].
func (v values) value(n *Node, path string, depth int) (item.Value, error) {
	if depth >= maxLiteralDepth {
		return nil, errorf("Nesting Levels have exceeded supported limits under %s", path)
	}
	switch n.Kind {
	case nodeString:
		return item.NewString(n.Text), nil
	case nodeNumber:
		return number(n, path)
	case nodeTrue, nodeFalse:
		return item.NewBool(n.Kind == nodeTrue), nil
	case nodeNull:
		return item.NewNull(), nil
	case nodeParameter:
		return v.parameters[n.Index], nil
	case nodeIon:
		return nil, ionError(n, path)
	case nodeList:
		return v.list(n, path, depth)
	case nodeStruct:
		return v.structure(n, path, depth)
	case nodeBag:
		return v.bag(n, path)
	}
	return nil, at(n.Pos, "Unsupported data type: %s under key %s", n.unsupportedName(), path)
}

// unsupportedName returns the name of a node that is not a value, for messages: a function's name, otherwise the name
// of the kind of expression, which no recording shows.
func (n *Node) unsupportedName() string {
	if n.Kind == nodeCall {
		return n.functionName()
	}
	return n.operation()
}

func number(n *Node, path string) (item.Value, error) {
	v, err := newNumber(n.Text)
	var e *item.NumberError
	if errors.As(err, &e) {
		return nil, errorf("%s under %s", e.Message, path)
	}
	return v, err
}

func (v values) list(n *Node, path string, depth int) (item.Value, error) {
	elements := make([]item.Value, len(n.Args))
	for i, arg := range n.Args {
		var err error
		if elements[i], err = v.value(arg, fmt.Sprintf("%s[%d]", path, i), depth+1); err != nil {
			return nil, err
		}
	}
	return item.NewList(elements...), nil
}

// structure returns the map of { 'name': value, … }. With depth 0 and an empty path it is an item, whose attributes
// each are a root.
func (v values) structure(n *Node, path string, depth int) (item.Value, error) {
	entries := make([]item.Entry, 0, len(n.Args)/2)
	for i := 0; i < len(n.Args); i += 2 {
		key := n.Args[i]
		if key.Kind != nodeString {
			return nil, at(key.Pos, "Unsupported data type: %s under key %s", key.unsupportedName(), path)
		}
		if key.Text == "" {
			return nil, errorf("Path component cannot be an empty string")
		}
		at, below := path+"."+key.Text, depth+1
		if path == "" {
			at, below = "root", 0
		}
		value, err := v.value(n.Args[i+1], at, below)
		if err != nil {
			return nil, err
		}
		entries = append(entries, item.Entry{Name: key.Text, Value: value})
	}
	return item.NewMap(entries...), nil
}

// errBag is the message about a bag that is not a set of strings or of numbers.
const errBag = "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags"

// bag returns the set of <<a, b>>. The first element decides its type. The service reports an element of another type
// with its position in a set of strings, without in a set of numbers (nubo-db/dynoxide, captures of 2026-10).
func (v values) bag(n *Node, path string) (item.Value, error) {
	if len(n.Args) == 0 {
		return nil, errorf("Empty bags are not supported")
	}
	kind := n.Args[0].Kind
	setType := item.NumberSet
	if kind == nodeString {
		setType = item.StringSet
	} else if kind != nodeNumber {
		return nil, at(n.Args[0].Pos, errBag)
	}
	members := make([]item.Value, len(n.Args))
	for i, arg := range n.Args {
		if arg.Kind != kind {
			return nil, wrongMember(arg, setType, path)
		}
		var err error
		if members[i], err = v.value(arg, path, 0); err != nil {
			return nil, err
		}
	}
	set := item.NewSet(setType, members...)
	if set.Len() < len(members) {
		return nil, errDuplicates(members, path)
	}
	return set, nil
}

func wrongMember(n *Node, setType item.Type, path string) error {
	switch {
	case n.Kind == nodeParameter:
		return at(n.Pos, "Unsupported data type: Parameter under key %s", path)
	case n.Kind == nodeIon:
		return ionError(n, path)
	case setType == item.StringSet:
		return at(n.Pos, errBag)
	case n.Kind == nodeNull:
		return errorf("One or more parameter values were invalid: Numeric sets may not contain null under %s", path)
	}
	return errorf(errBag)
}

// errDuplicates names the members. For numbers, nubo-db/dynoxide (2026-10) says that the message names the members and
// the path too; its exact form is not known.
func errDuplicates(members []item.Value, path string) error {
	texts := make([]string, len(members))
	for i, m := range members {
		texts[i] = m.Text()
	}
	message := "One or more parameter values were invalid: Input collection [" + strings.Join(texts, ", ") +
		"] contains duplicates."
	if members[0].Type() == item.Number {
		message = strings.TrimSuffix(message, ".") + " under " + path
	}
	return &Error{message}
}

func ionError(n *Node, path string) error {
	return at(n.Pos, "Ion Literals are not supported: %s under key %s", ionType(strings.TrimSpace(n.Text)), path)
}

// ionType returns the type of an Ion literal, according to its first characters.
func ionType(text string) string {
	switch {
	case strings.HasPrefix(text, "{{"):
		if strings.HasPrefix(strings.TrimSpace(text[2:]), `"`) {
			return "CLOB"
		}
		return "BLOB"
	case strings.HasPrefix(text, "{"):
		return "STRUCT"
	case strings.HasPrefix(text, "["):
		return "LIST"
	case strings.HasPrefix(text, "("):
		return "SEXP"
	case strings.HasPrefix(text, `"`), strings.HasPrefix(text, "'''"):
		return "STRING"
	case text == "true", text == "false":
		return "BOOL"
	case text == "null", strings.HasPrefix(text, "null."):
		return "NULL"
	case text == "" || !isDigit(text[0]) && text[0] != '-':
		return "SYMBOL"
	case strings.Contains(text, "T") || strings.Count(text, "-") > 1:
		return "TIMESTAMP"
	case strings.ContainsAny(text, "eE"):
		return "FLOAT"
	case strings.ContainsAny(text, ".dD"):
		return "DECIMAL"
	}
	return "INT"
}
