package iam

import (
	"regexp"
	"strconv"
	"strings"
)

// each calls fn with each string of a node that is a string or a list of strings.
func (p *parser) each(n *node, fn func(text string, at Position) error) error {
	if n.kind != nodeList {
		var text string
		if err := p.text(n, &text); err != nil {
			return err
		}
		return fn(text, n.place)
	}
	if len(n.items) == 0 {
		return p.refuse(n.place, "an empty list names nothing")
	}
	for i, item := range n.items {
		err := p.withPath("["+strconv.Itoa(i)+"]", func() error {
			var text string
			if err := p.text(item, &text); err != nil {
				return err
			}
			return fn(text, item.place)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) actions(s *Statement, n *node) error {
	return p.each(n, func(text string, at Position) error {
		service, name, ok := strings.Cut(text, ":")
		if text != "*" && (!ok || name == "" || service == "" || strings.ContainsAny(service, "*? ") ||
			strings.ContainsAny(name, ": ")) {
			return p.refuse(at, `%q is not an action: write service:Name, such as dynamodb:GetItem or dynamodb:*`, text)
		}
		action, err := patternSyntax{wildcards: true, fold: true}.compile(text)
		s.actions = append(s.actions, action)
		return err
	})
}

func (p *parser) resources(s *Statement, n *node) error {
	return p.each(n, func(text string, at Position) error {
		if text != "*" && !strings.HasPrefix(text, "arn:") && !strings.HasPrefix(text, "*:") {
			return p.refuse(at,
				`%q is not an ARN: write arn:aws:dynamodb:REGION:ACCOUNT:table/NAME, with * where any will do, or "*"`, text)
		}
		resource, err := patternSyntax{wildcards: true, variables: p.variables}.compileARN(text)
		if err != nil {
			return p.refuse(at, "%v", err)
		}
		s.resources = append(s.resources, resource)
		return nil
	})
}

func (p *parser) principals(to *principals, n *node) error {
	if n.kind == nodeText {
		if n.text != "*" {
			return p.unexpected(n, n.place, `%q is not a principal: write "*" or {"AWS": "arn:aws:iam::ACCOUNT:user/NAME"}`, n.text)
		}
		to.all = true
		return nil
	}
	if n.kind != nodeObject || len(n.members) == 0 {
		return p.unexpected(n, n.place, `a principal is "*" or an object such as {"AWS": "…"}, not %s`, n.kind)
	}
	for _, m := range n.members {
		if err := p.withPath(m.name, func() error { return p.principalsOf(to, m) }); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) principalsOf(to *principals, m member) error {
	switch m.name {
	case "AWS":
		return p.each(m.value, func(text string, at Position) error { return p.principal(to, text, at) })
	case "Service":
		return p.each(m.value, func(text string, _ Position) error {
			to.services = append(to.services, text)
			return nil
		})
	case "Federated", "CanonicalUser": // no caller is of these kinds
		return p.each(m.value, func(string, Position) error { return nil })
	}
	return p.unexpected(m.value, m.place, "unknown kind of principal: use AWS, Service, Federated or CanonicalUser")
}

// principal parses an account, or an ARN.
func (p *parser) principal(to *principals, text string, at Position) error {
	account := regexp.MustCompile(`^(?:arn:aws[a-z-]*:iam::)?([0-9]{12})(?::root)?$`)
	switch match := account.FindStringSubmatch(text); {
	case text == "*":
		to.all = true
	case match != nil:
		to.accounts = append(to.accounts, match[1])
	case !regexp.MustCompile(`^arn:aws[a-z-]*:(iam|sts)::[0-9]{12}:[^*?]+$`).MatchString(text):
		return p.refuse(
			at, "%q is not a principal: write an account's twelve digits or a whole ARN, such as arn:aws:iam::123456789012:user/ana (no wildcards but a lone *)",
			text)
	default:
		arn, err := patternSyntax{}.compileARN(text)
		to.arns = append(to.arns, arn)
		return err
	}
	return nil
}

// conditions parses operators, each with keys, each with values.
func (p *parser) conditions(s *Statement, n *node) error {
	if n.kind != nodeObject {
		return p.unexpected(n, n.place, `conditions are an object such as {"StringEquals": {"aws:username": "ana"}}, not %s`, n.kind)
	}
	for _, m := range n.members {
		err := p.withPath(m.name, func() error {
			if m.value.kind != nodeObject {
				return p.unexpected(m.value, m.value.place, "an operator has an object of keys and values, not %s", m.value.kind)
			}
			for _, key := range m.value.members {
				if err := p.withPath(key.name, func() error { return p.condition(s, m, key) }); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) condition(s *Statement, m, key member) error {
	c, err := compileCondition(m.name, p.operators)
	if err != nil {
		return p.refuse(m.place, "%v", err)
	}
	if !strings.Contains(key.name, ":") {
		return p.refuse(key.place,
			"%q is not a condition key: write one with its prefix, such as dynamodb:LeadingKeys or aws:username", key.name)
	}
	c.keyText, c.key = key.name, strings.ToLower(key.name)
	values := []*node{key.value}
	if key.value.kind == nodeList {
		values = key.value.items
	}
	for _, value := range values {
		if value.kind != nodeText && value.kind != nodeNumber && value.kind != nodeBool {
			return p.unexpected(value, value.place, "a value is a string, a number or a boolean, not %s", value.kind)
		}
		if err := c.add(value.text); err != nil {
			return p.refuse(value.place, "%v", err)
		}
	}
	s.conditions = append(s.conditions, c)
	return nil
}
