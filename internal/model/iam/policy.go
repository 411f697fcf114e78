package iam

import (
	"slices"
	"strconv"
)

// Kind is the type of a policy, according to where it is attached. It determines the policy's elements and its
// evaluation.
type Kind int

// The kinds of policies.
const (
	Identity Kind = iota // on a user, group or role
	Resource             // on a table, a stream, a key
	Boundary             // the most that identity policies can allow
	Session              // the most that a session can do
	Trust                // on a role: the principals that may assume it
)

// String returns the kind's name in the services' messages.
func (k Kind) String() string {
	return [...]string{"identity-based policy", "resource-based policy", "permissions boundary", "session policy",
		"role trust policy"}[k]
}

// Versions of the policy language.
const (
	Version2012 = "2012-10-17"
	Version2008 = "2008-10-17" // the default; it has no variables
)

// Policy is a parsed document. It is immutable.
type Policy struct {
	Name       string // name of the policy, for people
	Kind       Kind
	Version    string
	ID         string
	Statements []*Statement
	Text       string // the document as JSON, without spaces
	Canonical  string // the document as services return it: two equivalent policies often have the same
}

// AllowsEveryone reports whether a statement without conditions allows everyone something.
func (p *Policy) AllowsEveryone() bool {
	return slices.ContainsFunc(p.Statements, func(s *Statement) bool {
		return !s.Deny && s.conditions == nil && s.principals != nil && s.principals.all && !s.notPrincipals
	})
}

// Statement is a statement of a policy.
type Statement struct {
	Policy *Policy
	Index  int    // from 0
	Sid    string // may be empty
	Deny   bool   // otherwise it allows

	principals    *principals // nil in identity policies
	notPrincipals bool
	actions       []pattern
	notActions    bool
	resources     []arnPattern
	notResources  bool
	conditions    []condition
}

// String returns the policy's name and the statement's Sid or number.
func (s *Statement) String() string {
	if s.Sid != "" {
		return s.Policy.Name + ", statement " + s.Sid
	}
	return s.Policy.Name + ", Statement[" + strconv.Itoa(s.Index) + "]"
}

// Effect returns "Allow" or "Deny".
func (s *Statement) Effect() string {
	if s.Deny {
		return "Deny"
	}
	return "Allow"
}

// Actions returns the actions that the statement names, also as exceptions.
func (s *Statement) Actions() []string {
	var all []string
	for i := range s.actions {
		all = append(all, s.actions[i].text)
	}
	return all
}

// Resources returns the resources that the statement names, also as exceptions.
func (s *Statement) Resources() []string {
	var all []string
	for i := range s.resources {
		all = append(all, s.resources[i].text)
	}
	return all
}

// As returns the same policy with another kind, such as a boundary or a session policy.
func (p *Policy) As(kind Kind) *Policy {
	other := *p
	other.Kind = kind
	other.Statements = make([]*Statement, len(p.Statements))
	for i, s := range p.Statements {
		moved := *s
		moved.Policy = &other
		other.Statements[i] = &moved
	}
	return &other
}
