package identities

import (
	"errors"
	"fmt"

	"gopkg.in/yaml.v3"

	"github.com/tabletop-db/tabletop/internal/model/iam"
)

// Error is a description that is wrong. Its text is one line: file, line, what is wrong and what to write.
type Error struct {
	File    string
	Line    int // 0 when it is about no line
	Problem string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Problem
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem)
}

// reader walks a description and says where it is wrong.
type reader struct {
	file    string
	derived bool // an access key may have no secret
}

func (r reader) refuse(at *yaml.Node, format string, args ...any) error {
	return &Error{File: r.file, Line: at.Line, Problem: fmt.Sprintf(format, args...)}
}

// fields calls read for each field of a mapping with its name; an absent one (null) has none.
func (r reader) fields(n *yaml.Node, what string, read func(name, value *yaml.Node) error) error {
	n = resolveAlias(n)
	if n.ShortTag() == "!!null" {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		return r.refuse(n, "%s must be a mapping of names to values", what)
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i]
		if seen[name.Value] {
			return r.refuse(name, "%q is there twice", name.Value)
		}
		seen[name.Value] = true
		if err := read(name, resolveAlias(n.Content[i+1])); err != nil {
			return err
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

// text reads a scalar.
func (r reader) text(n *yaml.Node, what string, to *string) error {
	if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" || n.Value == "" {
		return r.refuse(n, "%s has to be text", what)
	}
	*to = n.Value
	return nil
}

// texts reads a list of scalars.
func (r reader) texts(n *yaml.Node, what string) ([]string, error) {
	if n.Kind != yaml.SequenceNode {
		return nil, r.refuse(n, "%s has to be a list of names, such as [one, two]", what)
	}
	var all []string
	for _, item := range n.Content {
		var text string
		if err := r.text(resolveAlias(item), "each of "+what, &text); err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, nil
}

// policy reads a policy: a mapping as its JSON would be, or the JSON itself as text.
func (r reader) policy(kind iam.Kind, name string, n *yaml.Node) (*iam.Policy, error) {
	p, err := iam.ParseYAML(kind, name, n)
	if n.Kind == yaml.ScalarNode {
		p, err = iam.Parse(kind, name, []byte(n.Value))
	}
	var syntax *iam.SyntaxError
	if errors.As(err, &syntax) && n.Kind == yaml.ScalarNode {
		return nil, r.refuse(n, "policy %s: %v", name, syntax)
	}
	if errors.As(err, &syntax) {
		problem := syntax.Problem
		if syntax.Path != "" {
			problem = syntax.Path + ": " + problem
		}
		return nil, &Error{File: r.file, Line: syntax.Position.Line, Problem: "policy " + name + ": " + problem}
	}
	return p, err
}

// policies reads a mapping of names to policies.
func (r reader) policies(kind iam.Kind, n *yaml.Node, what string, into map[string]*iam.Policy) error {
	return r.fields(n, what, func(name, value *yaml.Node) error {
		p, err := r.policy(kind, name.Value, value)
		into[name.Value] = p
		return err
	})
}
