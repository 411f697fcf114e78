package iam

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Parse parses a policy in JSON. Errors: a [*SyntaxError].
func Parse(kind Kind, name string, document []byte) (*Policy, error) {
	n, err := readJSON(document)
	if err != nil {
		return nil, err
	}
	return parse(kind, name, n)
}

// ParseYAML parses a policy that is a part of a YAML document. Errors: a [*SyntaxError] whose place is in the whole
// document.
func ParseYAML(kind Kind, name string, part *yaml.Node) (*Policy, error) {
	n, err := readYAML(part)
	if err != nil {
		return nil, err
	}
	return parse(kind, name, n)
}

func parse(kind Kind, name string, n *node) (*Policy, error) {
	p := &parser{policy: &Policy{Name: name, Kind: kind, Version: Version2008}}
	if err := p.document(n); err != nil {
		return nil, err
	}
	p.policy.Text = string(n.appendJSON(nil))
	p.policy.Canonical = string(n.canonical().appendJSON(nil))
	return p.policy, nil
}

type parser struct {
	policy    *Policy
	operators map[string]operator
	path      []string
	variables bool // of version 2012-10-17
}

// refuse returns an error at a place.
func (p *parser) refuse(at Position, format string, args ...any) error {
	return &SyntaxError{Position: at, Path: strings.Join(p.path, ""), Problem: fmt.Sprintf(format, args...)}
}

// unexpected returns an error about a value of another kind than the grammar has there, or whose name it does not have.
func (p *parser) unexpected(n *node, at Position, format string, args ...any) error {
	return p.known(at, fmt.Sprintf(format, args...), n.reached.syntaxMessage())
}

// known returns an error of which IAM's message is known.
func (p *parser) known(at Position, problem, message string) error {
	return &SyntaxError{Position: at, Path: strings.Join(p.path, ""), Problem: problem, Message: message}
}

// missing returns an error about a required element.
func (p *parser) missing(at Position, element, problem string) error {
	return &SyntaxError{Position: at, Path: strings.Join(p.path, ""), Problem: problem, Missing: element}
}

// withPath runs fn with part appended to the path of errors.
func (p *parser) withPath(part string, fn func() error) error {
	if len(p.path) > 0 && !strings.HasPrefix(part, "[") {
		part = "." + part
	}
	p.path = append(p.path, part)
	err := fn()
	p.path = p.path[:len(p.path)-1]
	return err
}

func (p *parser) document(n *node) error {
	if n.kind != nodeObject {
		return p.refuse(n.place, "a policy is an object with Version and Statement, not %s", n.kind)
	}
	var statement *node
	for _, m := range n.members {
		err := p.withPath(m.name, func() error {
			switch m.name {
			case "Version":
				return p.version(m.value)
			case "Id":
				return p.text(m.value, &p.policy.ID)
			case "Statement":
				statement = m.value
				return nil
			}
			return p.unexpected(m.value, m.place, "a policy has no such element: it has Version, Id and Statement")
		})
		if err != nil {
			return err
		}
	}
	if statement == nil {
		return p.known(n.place, "Statement is missing", n.end.syntaxMessage())
	}
	p.operators = operators(p.variables)
	return p.withPath("Statement", func() error { return p.statements(statement) })
}

func (p *parser) version(n *node) error {
	var text string
	if err := p.text(n, &text); err != nil {
		return err
	}
	if text != Version2012 && text != Version2008 {
		return p.refuse(n.place, "%q is not a version: write %s", text, Version2012)
	}
	p.policy.Version = text
	p.variables = text == Version2012
	return nil
}

func (p *parser) text(n *node, to *string) error {
	if n.kind != nodeText {
		return p.unexpected(n, n.place, "this has to be a string, not %s", n.kind)
	}
	*to = n.text
	return nil
}

// statements parses one statement or a list of statements.
func (p *parser) statements(n *node) error {
	items := []*node{n}
	if n.kind == nodeList {
		items = n.items
	}
	if len(items) == 0 {
		return p.known(n.place, "there has to be a statement", "Could not parse the policy: Statement is empty!")
	}
	sids := map[string]bool{}
	for i, item := range items {
		err := p.withPath("["+strconv.Itoa(i)+"]", func() error { return p.statement(item, i, sids) })
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) statement(n *node, index int, sids map[string]bool) error {
	if n.kind != nodeObject {
		return p.unexpected(n, n.place, "a statement is an object, not %s", n.kind)
	}
	s := &Statement{Policy: p.policy, Index: index}
	seen := map[string]bool{}
	for _, m := range n.members {
		seen[m.name] = true
		if err := p.withPath(m.name, func() error { return p.element(s, m, sids) }); err != nil {
			return err
		}
	}
	if err := p.checkComplete(n, seen); err != nil {
		return err
	}
	if err := p.exceptions(n, s, seen); err != nil {
		return err
	}
	p.policy.Statements = append(p.policy.Statements, s)
	return nil
}

// element parses one element of a statement.
func (p *parser) element(s *Statement, m member, sids map[string]bool) error {
	switch m.name {
	case "Sid":
		return p.sid(s, m.value, sids)
	case "Effect":
		return p.effect(s, m.value)
	case "Principal", "NotPrincipal":
		s.principals, s.notPrincipals = &principals{}, m.name == "NotPrincipal"
		return p.principals(s.principals, m.value)
	case "Action", "NotAction":
		s.notActions = m.name == "NotAction"
		return p.actions(s, m.value)
	case "Resource", "NotResource":
		s.notResources = m.name == "NotResource"
		return p.resources(s, m.value)
	case "Condition":
		return p.conditions(s, m.value)
	}
	return p.unexpected(
		m.value, m.place, "a statement has no such element: it has Sid, Effect, Principal, Action, Resource, Condition and NotPrincipal, NotAction, NotResource")
}

// checkComplete checks that a statement has the elements that its kind of policy requires, and no others.
func (p *parser) checkComplete(n *node, seen map[string]bool) error {
	for _, pair := range [][2]string{{"Action", "NotAction"}, {"Resource", "NotResource"}, {"Principal", "NotPrincipal"}} {
		if seen[pair[0]] && seen[pair[1]] {
			return p.refuse(n.place, "%s and %s exclude each other", pair[0], pair[1])
		}
	}
	attached := p.policy.Kind == Resource || p.policy.Kind == Trust
	principal := seen["Principal"] || seen["NotPrincipal"]
	resource := seen["Resource"] || seen["NotResource"]
	switch {
	case !seen["Effect"]:
		return p.missing(n.place, "Effect", "Effect is missing: write Allow or Deny")
	case !seen["Action"] && !seen["NotAction"]:
		return p.missing(n.place, "Action", "Action is missing")
	case attached && !principal:
		return p.missing(n.place, "Principal", "Principal is missing: a "+p.policy.Kind.String()+" requires it")
	case !attached && principal:
		return p.refuse(n.place, "Principal is not allowed in an identity policy: remove it")
	case p.policy.Kind == Trust && resource:
		return p.refuse(n.place, "Resource is not allowed in a trust policy: remove it")
	case p.policy.Kind != Trust && !resource:
		return p.missing(n.place, "Resource", `Resource is missing: write an ARN, or "*" for all`)
	}
	return nil
}

// exceptions checks the use of NotPrincipal: "with Effect Deny", and "not in an IAM role trust policy" (IAM user guide,
// "AWS JSON policy elements: NotPrincipal").
func (p *parser) exceptions(n *node, s *Statement, seen map[string]bool) error {
	switch {
	case !seen["NotPrincipal"]:
	case p.policy.Kind == Trust:
		return p.refuse(n.place, "NotPrincipal is not allowed in a trust policy: use Principal for those who may assume the role")
	case !s.Deny:
		return p.refuse(n.place, "NotPrincipal is allowed only with Deny: use Principal in a statement that allows")
	}
	return nil
}

func (p *parser) sid(s *Statement, n *node, sids map[string]bool) error {
	if err := p.text(n, &s.Sid); err != nil {
		return err
	}
	if p.policy.Kind == Identity && !regexp.MustCompile(`^[0-9A-Za-z]*$`).MatchString(s.Sid) {
		return p.refuse(n.place, "%q is not a Sid: letters and digits only", s.Sid)
	}
	if s.Sid != "" && sids[s.Sid] {
		return p.known(n.place, strconv.Quote(s.Sid)+" is the Sid of another statement too",
			"The Statement Ids in the policy are not unique")
	}
	sids[s.Sid] = true
	return nil
}

func (p *parser) effect(s *Statement, n *node) error {
	var text string
	if err := p.text(n, &text); err != nil {
		return err
	}
	effect := text
	if p.policy.Kind == Resource { // (ack-api-quirks DDB-TABLE-355, 2026-10-09: allow)
		effect = effectName(text)
	}
	if effect != "Allow" && effect != "Deny" {
		return p.refuse(n.place, "%q is not an effect: write Allow or Deny", text)
	}
	s.Deny = effect == "Deny"
	return nil
}
