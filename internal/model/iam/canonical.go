package iam

import (
	"slices"
	"strings"
)

// canonical returns the document as DynamoDB returns a resource's policy: without spaces, elements in the order of the
// grammar, a list of one as its element, an account as the ARN of its root, each principal once, and effects as in the
// grammar. (ack-api-quirks DDB-TABLE-351 to DDB-TABLE-355, 2026-10-09.)
func (n *node) canonical() *node {
	order := []string{"Version", "Id", "Statement"}
	c := n.ordered(order)
	for i, m := range c.members {
		if m.name == "Statement" {
			c.members[i].value = m.value.canonicalStatements()
		}
	}
	return c
}

func (n *node) canonicalStatements() *node {
	if n.kind == nodeObject {
		return &node{kind: nodeList, items: []*node{n.canonicalStatement()}}
	}
	list := &node{kind: nodeList}
	for _, item := range n.items {
		list.items = append(list.items, item.canonicalStatement())
	}
	return list
}

func (n *node) canonicalStatement() *node {
	order := []string{"Sid", "Effect", "Principal", "NotPrincipal", "Action", "NotAction", "Resource",
		"NotResource", "Condition"}
	c := n.ordered(order)
	for i, m := range c.members {
		if m.name == "Effect" {
			c.members[i].value = &node{kind: nodeText, text: effectName(m.value.text)}
			continue
		}
		c.members[i].value = m.value.single(strings.HasSuffix(m.name, "Principal"))
	}
	return c
}

// effectName returns an effect as the grammar spells it. Other texts are returned as they are.
func effectName(text string) string {
	for _, name := range []string{"Allow", "Deny"} {
		if strings.EqualFold(text, name) {
			return name
		}
	}
	return text
}

// ordered returns a copy of an object with its members in that order.
func (n *node) ordered(order []string) *node {
	c := &node{kind: n.kind, members: slices.Clone(n.members)}
	slices.SortStableFunc(c.members, func(a, b member) int {
		return slices.Index(order, a.name) - slices.Index(order, b.name)
	})
	return c
}

// single replaces each list of one with its element, at any depth, and accounts that are principals with their ARNs.
// Principals that occur again are left out.
func (n *node) single(principal bool) *node {
	switch n.kind {
	case nodeList:
		list, seen := &node{kind: nodeList}, map[string]bool{}
		for _, item := range n.items {
			item = item.single(principal)
			if !seen[item.text] || item.kind != nodeText {
				list.items = append(list.items, item)
			}
			seen[item.text] = principal
		}
		if len(list.items) == 1 {
			return list.items[0]
		}
		return list
	case nodeObject:
		c := &node{kind: nodeObject}
		for _, m := range n.members {
			c.members = append(c.members, member{m.name, m.place, m.value.single(principal)})
		}
		return c
	case nodeText:
		if principal && len(n.text) == 12 && strings.Trim(n.text, "0123456789") == "" {
			return &node{kind: nodeText, text: "arn:aws:iam::" + n.text + ":root"}
		}
	}
	return n
}
