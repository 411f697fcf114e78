package iam

import (
	"slices"
	"strings"
)

// canonical returns the document as DynamoDB returns a resource's policy: without spaces, elements in the order of the
// grammar, a list of one as its element, an account as the ARN of its root.
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
		c.members[i].value = m.value.single(strings.HasSuffix(m.name, "Principal"))
	}
	return c
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
func (n *node) single(principal bool) *node {
	switch n.kind {
	case nodeList:
		if len(n.items) == 1 {
			return n.items[0].single(principal)
		}
		list := &node{kind: nodeList}
		for _, item := range n.items {
			list.items = append(list.items, item.single(principal))
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
