package iam

import "strconv"

// Kind is what a policy is attached to, and so what it may say and how it counts.
type Kind int

// The kinds of policies.
const (
	Identity Kind = iota // on a user, group or role
	Resource             // on a table, a stream, a key
	Boundary             // the most that identity policies can allow
	Session              // the most that a session can do
	Trust                // on a role: who may assume it
)

// String is the kind as the services' messages call it.
func (k Kind) String() string {
	return [...]string{"identity-based policy", "resource-based policy", "permissions boundary", "session policy", "role trust policy"}[k]
}

// The versions of the language.
const (
	Version2012 = "2012-10-17"
	Version2008 = "2008-10-17" // the default; it has no variables
)

// Policy is a document, parsed. It does not change.
type Policy struct {
	Name       string // of the policy, for people
	Kind       Kind
	Version    string
	ID         string
	Statements []*Statement
	Text       string // the document as JSON, without spaces
	Canonical  string // the document as services give it back: two that mean the same often have the same
}

// Statement is one of a policy's.
type Statement struct {
	Policy *Policy
	Index  int    // from 0
	Sid    string // may be empty
	Deny   bool   // else it allows

	principals    *principals // nil in policies of identities
	notPrincipals bool
	actions       []pattern
	notActions    bool
	resources     []arnPattern
	notResources  bool
	conditions    []condition
}

// String names the statement: its policy and its Sid, or its number.
func (s *Statement) String() string {
	if s.Sid != "" {
		return s.Policy.Name + ", statement " + s.Sid
	}
	return s.Policy.Name + ", Statement[" + strconv.Itoa(s.Index) + "]"
}

// Effect is Allow or Deny.
func (s *Statement) Effect() string {
	if s.Deny {
		return "Deny"
	}
	return "Allow"
}

// As is the same policy in another place: as a boundary, or of a session.
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
