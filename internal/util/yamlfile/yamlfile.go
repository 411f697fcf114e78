// Package yamlfile parses YAML files that people write: strictly, and with one-line errors that state the file, the
// line and the remedy.
package yamlfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// MaxSize is the size in bytes of the largest file that is read, 1 MiB.
const MaxSize = 1 << 20

// File is a parsed file, which knows where its values are.
type File struct {
	name string
	root *yaml.Node
}

// Read decodes the one document of a file into a pointer to a struct whose fields have yaml tags. Errors: unknown and
// duplicate fields. name is the file's name in errors.
func Read(name string, text []byte, into any) (*File, error) {
	f := &File{name: name}
	if len(text) > MaxSize {
		return nil, f.Errorf(nil, "the file is larger than %d bytes: split it", MaxSize)
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	var root yaml.Node
	if err := d.Decode(&root); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, f.Errorf(nil, "the file is empty: start it with %s:", knownFields(reflect.TypeOf(into).Elem())[0])
		}
		invalid := f.decodeError(err)
		invalid.Problem = "invalid YAML (" + invalid.Problem + "): correct this line or the one before it"
		return nil, invalid
	}
	if err := d.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, f.Errorf(nil, "the file has more than one YAML document: remove everything after ---")
	}
	f.root = root.Content[0]
	if err := f.checkFields(f.root, reflect.TypeOf(into).Elem()); err != nil {
		return nil, err
	}
	if err := f.root.Decode(into); err != nil {
		return nil, f.decodeError(err)
	}
	return f, nil
}

// Errorf returns an error about the value at a path of field names and list indexes, such as "tables", 0, "name"; if
// the file has no such value, about the nearest one that it has.
func (f *File) Errorf(path []any, format string, args ...any) error {
	return &Error{File: f.name, Line: f.line(path), Problem: fmt.Sprintf(format, args...)}
}

// Error reports what is wrong with a file, in one line.
type Error struct {
	File    string
	Line    int // from 1
	Problem string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem) }

func (f *File) line(path []any) int {
	if f.root == nil {
		return 1
	}
	at, line := f.root, f.root.Line
	for _, step := range path {
		var next *yaml.Node
		switch step := step.(type) {
		case string:
			for i := 0; at.Kind == yaml.MappingNode && i+1 < len(at.Content); i += 2 {
				if at.Content[i].Value == step {
					next, line = at.Content[i+1], at.Content[i].Line
				}
			}
		case int:
			if at.Kind == yaml.SequenceNode && step < len(at.Content) {
				next = at.Content[step]
				line = next.Line
			}
		}
		if next == nil {
			return line
		}
		at = resolveAlias(next)
	}
	return line
}

// checkFields refuses fields that a type does not have.
func (f *File) checkFields(n *yaml.Node, t reflect.Type) error {
	n = resolveAlias(n)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if _, own := reflect.New(t).Interface().(yaml.Unmarshaler); own || n.ShortTag() == "!!null" {
		return nil
	}
	switch t.Kind() {
	case reflect.Struct:
		return f.checkStruct(n, t)
	case reflect.Slice:
		if n.Kind != yaml.SequenceNode {
			return f.errorAt(n, "expected a list: write each entry on its own line after -, or all as [one, two]")
		}
		for _, entry := range n.Content {
			if err := f.checkFields(entry, t.Elem()); err != nil {
				return err
			}
		}
	case reflect.Map:
		if n.Kind != yaml.MappingNode {
			return f.errorAt(n, "expected a map: write entries as name: value")
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if err := f.checkFields(n.Content[i+1], t.Elem()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *File) checkStruct(n *yaml.Node, t reflect.Type) error {
	known := knownFields(t)
	if n.Kind != yaml.MappingNode {
		return f.errorAt(n, "expected fields, such as %s: value", known[0])
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i]
		at := slices.Index(known, name.Value)
		switch {
		case at < 0:
			return f.errorAt(name, "unknown field %q: use %s", name.Value, strings.Join(known, ", "))
		case seen[name.Value]:
			return f.errorAt(name, "duplicate field %q: remove one", name.Value)
		}
		seen[name.Value] = true
		if err := f.checkFields(n.Content[i+1], fieldType(t, name.Value)); err != nil {
			return err
		}
	}
	return nil
}

// knownFields returns the names of a struct's fields in a file.
func knownFields(t reflect.Type) []string {
	var names []string
	for i := range t.NumField() {
		if name := fieldName(t.Field(i)); name != "" {
			names = append(names, name)
		}
	}
	return names
}

func fieldName(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
	if name == "-" {
		return ""
	}
	return name
}

func fieldType(t reflect.Type, name string) reflect.Type {
	for i := range t.NumField() {
		if fieldName(t.Field(i)) == name {
			return t.Field(i).Type
		}
	}
	return nil
}

// resolveAlias returns the node that an alias refers to.
func resolveAlias(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

func (f *File) errorAt(n *yaml.Node, format string, args ...any) error {
	return &Error{File: f.name, Line: n.Line, Problem: fmt.Sprintf(format, args...)}
}

var linePrefix = lazyregexp.New(`^(?:yaml: )?line (\d+): `)

// decodeError converts the decoder's error to one line.
func (f *File) decodeError(err error) *Error {
	text := err.Error()
	if typed, ok := errors.AsType[*yaml.TypeError](err); ok {
		text = typed.Errors[0]
	}
	e := &Error{File: f.name, Line: 1}
	if m := linePrefix.FindStringSubmatch(text); m != nil {
		e.Line, _ = strconv.Atoi(m[1]) // a few digits
		text = text[len(m[0]):]
	}
	text = strings.TrimPrefix(text, "yaml: ")
	if value, kind, ok := strings.Cut(text, " into "); ok {
		text = plainValue(strings.TrimPrefix(value, "cannot unmarshal ")) + " is not " + plainKind(kind)
	}
	e.Problem = strings.ReplaceAll(text, "\n", " ")
	return e
}

// plainValue returns the decoder's description of a value, such as "!!str `many`" or "!!seq", without the YAML tag.
func plainValue(value string) string {
	switch tag, text, _ := strings.Cut(value, " "); {
	case tag == "!!seq":
		return "a list"
	case tag == "!!map":
		return "a map"
	case strings.HasPrefix(tag, "!!") && text != "":
		return text
	}
	return value
}

// plainKind returns the name of a Go type in messages.
func plainKind(kind string) string {
	switch strings.TrimLeft(kind, "*") {
	case "bool":
		return "a boolean: use true or false"
	case "int", "int64", "int32", "uint64":
		return "an integer: use one such as 5"
	case "float64":
		return "a number: use one such as 2.5"
	case "string":
		return "a string: put it in quotes"
	}
	return "a valid value"
}
