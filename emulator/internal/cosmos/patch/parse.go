package patch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// MaxOperations is the maximum number of operations in a patch.
const MaxOperations = 10

// Patch is a parsed patch request.
type Patch struct {
	Condition  string // such as "from c where c.n = 1"; empty: none
	Operations []Operation
}

// Operation is an operation of a patch.
type Operation struct {
	Kind       Kind
	Path, From []string // names and indexes that lead to the target, and to the source of a Move
	Value      doc.Value
}

// Kind is the type of an operation.
type Kind uint8

// The kinds of operations.
const (
	Add Kind = iota
	Set
	Replace
	Remove
	Increment
	Move
)

// kinds maps the names of operations on the wire to their kinds.
var kinds = map[string]Kind{"add": Add, "set": Set, "replace": Replace, "remove": Remove, "incr": Increment,
	"increment": Increment, "move": Move}

// String returns the name of the kind in the service's errors.
func (k Kind) String() string {
	return [...]string{"Add", "Set", "Replace", "Remove", "Increment", "Move"}[k]
}

// Error is the error for a patch that is invalid, or cannot be applied to a document. Its message is for the client.
type Error struct{ Message string }

func (e *Error) Error() string { return e.Message }

func problem(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// Parse parses the body of a request: an object with operations and a condition, or just an array of operations. The
// error is an *Error.
func Parse(body doc.Value) (*Patch, error) {
	p, list := &Patch{}, body
	if body.Kind() == doc.Map {
		list = body.Field("operations")
		condition := body.Field("condition")
		if condition.Defined() && condition.Kind() != doc.Text && condition.Kind() != doc.Null {
			return nil, problem("The condition of a patch must be a string.")
		}
		p.Condition = strings.TrimSpace(condition.Str())
	}
	switch {
	case list.Kind() != doc.List:
		return nil, problem("The patch request must have a list of operations.")
	case list.Len() == 0:
		return nil, problem("The patch operation list cannot be empty.")
	case list.Len() > MaxOperations:
		return nil, problem("The number of patch operations cannot exceed %d.", MaxOperations)
	}
	for i, v := range list.Elements() {
		op, err := parseOperation(v)
		if err != nil {
			return nil, problem("For Operation(%d): %s", i+1, err)
		}
		p.Operations = append(p.Operations, op)
	}
	return p, nil
}

func parseOperation(v doc.Value) (op Operation, err error) {
	kind, ok := kinds[strings.ToLower(v.Field("op").Str())]
	if !ok {
		return op, problem("%s is not an operation: those are add, set, replace, remove, incr and move.",
			named(v.Field("op")))
	}
	op.Kind, op.Value = kind, v.Field("value")
	if op.Path, err = parsePointer(v.Field("path")); err != nil {
		return op, err
	}
	switch kind {
	case Move:
		if op.From, err = parsePointer(v.Field("from")); err != nil {
			return op, err
		}
		if len(op.Path) > len(op.From) && slices.Equal(op.From, op.Path[:len(op.From)]) {
			return op, problem("the path of a Move Operation cannot be a child of its from.")
		}
	case Increment:
		if op.Value.Kind() != doc.Numeric {
			return op, problem("the value of an Increment Operation must be a number.")
		}
	case Remove:
	default:
		if !op.Value.Defined() { // the Go SDK leaves null out
			op.Value = doc.NullValue()
		}
	}
	return op, nil
}

func named(v doc.Value) string {
	if !v.Defined() {
		return "An operation without op"
	}
	return v.JSON()
}

// systemProperties are the members of a document that cannot be patched ("Frequently asked questions about partial
// document update").
var systemProperties = []string{"_rid", "_self", "_etag", "_ts", "_attachments"}

// parsePointer parses a JSON Pointer to a member of a document or to a value in one.
func parsePointer(v doc.Value) ([]string, error) {
	text := v.Str()
	if !strings.HasPrefix(text, "/") || text == "/" {
		return nil, problem("the path %s is not a JSON Pointer such as /a/0/b.", named(v))
	}
	path := strings.Split(text[1:], "/")
	for i, segment := range path {
		if path[i] = unescape.Replace(segment); strings.Count(segment, "~") != strings.Count(segment, "~0")+
			strings.Count(segment, "~1") {
			return nil, problem("the path %q has a ~ that is neither ~0 nor ~1.", text)
		}
	}
	if slices.Contains(systemProperties, path[0]) {
		return nil, problem("the path %q is of a system property, which cannot be patched.", text)
	}
	return path, nil
}

// unescape replaces the escape sequences of a pointer.
var unescape = strings.NewReplacer("~1", "/", "~0", "~")
