package faults

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

// Read parses a file of rules: YAML with one member, faults, a list of documents. name is the file's name, for errors:
// each is one line with the line of the file and the remedy. All rules are checked.
func Read(name string, text []byte) ([]Rule, error) {
	fail := func(line int, text string) ([]Rule, error) {
		return nil, fmt.Errorf("%s:%d: %s", name, max(line, 1), text)
	}
	var file yaml.Node
	if err := yaml.Unmarshal(text, &file); err != nil {
		line, problem := yamlProblem(err, 1)
		return fail(line, "invalid YAML ("+problem+"): correct this line or the one before it")
	}
	list, line := listOf(&file)
	if list == nil {
		return fail(
			line, `a file of faults has one member, "faults", which is a list: begin with faults: and give each fault as - operations: […]`)
	}
	rules := make([]Rule, 0, len(list.Content))
	named := map[string]bool{}
	for _, node := range list.Content {
		r, line, err := ruleOf(node)
		if err == nil && named[r.Name] {
			err = fmt.Errorf("there are two faults %q: name them differently", r.Name)
		}
		if err != nil {
			return fail(line, err.Error())
		}
		named[r.Name] = r.Name != ""
		rules = append(rules, r)
	}
	return rules, nil
}

// listOf returns the list of rules, or nil if the file does not have one, and the line for an error.
func listOf(file *yaml.Node) (list *yaml.Node, line int) {
	if len(file.Content) == 0 {
		return nil, 1
	}
	top := file.Content[0]
	if top.Kind != yaml.MappingNode {
		return nil, top.Line
	}
	for i := 0; i < len(top.Content); i += 2 {
		if top.Content[i].Value != "faults" || top.Content[i+1].Kind != yaml.SequenceNode {
			return nil, top.Content[i].Line
		}
		list = top.Content[i+1]
	}
	return list, top.Line
}

// ruleOf parses one rule of the list.
func ruleOf(node *yaml.Node) (r Rule, line int, err error) {
	if node.Kind != yaml.MappingNode {
		return r, node.Line, errors.New("a fault is a list of fields: write them as do: throttle, each on its line")
	}
	known := fields()
	for i := 0; i < len(node.Content); i += 2 {
		if field := node.Content[i]; !slices.Contains(known, field.Value) {
			return r, field.Line, fmt.Errorf("unknown field %q: use %s", field.Value, strings.Join(known, ", "))
		}
	}
	var d Document
	if err := node.Decode(&d); err != nil {
		line, text := yamlProblem(err, node.Line)
		return r, line, errors.New(text)
	}
	if r, err = d.Rule(); err == nil {
		err = r.Check()
	}
	return r, node.Line, err
}

// fields returns the names of a document's fields.
func fields() (names []string) {
	for f := range reflect.TypeFor[Document]().Fields() {
		names = append(names, f.Tag.Get("yaml"))
	}
	return names
}

var (
	yamlLine = lazyregexp.New(`line (\d+): (.*)`)
	yamlType = lazyregexp.New("^cannot unmarshal \\S+ `?(.*?)`? ?into (.*)$")
)

// yamlProblem returns where and why YAML could not be parsed; line is where it begins.
func yamlProblem(err error, line int) (at int, text string) {
	text = strings.TrimPrefix(err.Error(), "yaml: ")
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		_, _ = fmt.Sscan(m[1], &line) // it is digits
		text = m[2]
	}
	if m := yamlType.FindStringSubmatch(text); m != nil {
		text = fmt.Sprintf("%q is not %s: see docs/faults.md", m[1], typeName(m[2]))
	}
	return line, text
}

// typeName returns the name of a Go type in messages, with its article.
func typeName(goType string) string {
	switch goType {
	case "int":
		return "a whole number"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	case "[]string":
		return "a list"
	}
	return "a text"
}
