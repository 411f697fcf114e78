package iam

import (
	"slices"
	"strings"
)

// canonical writes the document as DynamoDB gives a resource's policy back: without spaces, elements in the order of
// the grammar, a list of one as its element, an account as the ARN of its root.
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
	order := []string{"Sid", "Effect", "Principal", "NotPrincipal", "Action", "NotAction", "Resource", "NotResource", "Condition"}
	c := n.ordered(order)
	for i, m := range c.members {
		c.members[i].value = m.value.single(strings.HasSuffix(m.name, "Principal"))
	}
	return c
}

// ordered is a copy of an object whose members are in that order.
func (n *node) ordered(order []string) *node {
	c := &node{kind: n.kind, members: slices.Clone(n.members)}
	slices.SortStableFunc(c.members, func(a, b member) int {
		return slices.Index(order, a.name) - slices.Index(order, b.name)
	})
	return c
}

// single makes each list of one its element, at any depth, and of accounts that are principals their ARNs.
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
