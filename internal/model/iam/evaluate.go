package iam

// Request is one action on one resource.
type Request struct {
	Principal Principal
	Action    string // such as dynamodb:GetItem
	Resource  string // an ARN
	Context   Values // nil: nothing else is known
	Work      Work   // nil: no limit

	ended bool // whether its work is used up
}

// Work counts the work of a decision, such as comparisons of values.
type Work interface {
	// Step counts n units of work. After an error the decision is meaningless; the caller gets the error from its own
	// Work.
	Step(n int) error
}

// step counts n units of work, and reports whether there may be more.
func (r *Request) step(n int) bool {
	if r.Work != nil && n > 0 && !r.ended {
		r.ended = r.Work.Step(n) != nil
	}
	return !r.ended
}

// Policies are all policies that apply to a request.
type Policies struct {
	Identity []*Policy // of the caller and its groups
	Boundary *Policy   // nil: none
	Session  []*Policy // empty: none
	Resource []*Policy // on the resource

	// Owner is the account of the resource; empty means the caller's account. Across accounts both have to allow.
	Owner string
	// ResourceDecides is set for a role's trust policy and for a key's policy: nothing is allowed unless they allow it.
	ResourceDecides bool
}

// Decision is the result of evaluating a request, with the reason.
type Decision struct {
	Allowed bool
	// Statement allowed or denied the request; nil if nothing allowed it.
	Statement *Statement
	// Kind is the kind of the statement's policy; without a statement, the kind that should have allowed the request.
	Kind Kind
}

// Evaluate decides as the service does: an explicit deny in any policy wins; otherwise every limiting kind of policy
// has to allow. It does not allocate.
func Evaluate(r *Request, p *Policies) Decision {
	for _, s := range [...][]*Policy{p.Identity, p.Resource} {
		if d := denial(s, r); d != nil {
			return Decision{Statement: d, Kind: d.Policy.Kind}
		}
	}
	if p.Boundary != nil {
		if d := denyIn(p.Boundary, r); d != nil {
			return Decision{Statement: d, Kind: Boundary}
		}
	}
	if d := denial(p.Session, r); d != nil {
		return Decision{Statement: d, Kind: Session}
	}
	return decide(r, p)
}

// Denies reports whether a statement of the policy denies a request.
func (p *Policy) Denies(r *Request) bool { return denyIn(p, r) != nil }

func denial(policies []*Policy, r *Request) *Statement {
	for _, p := range policies {
		if s := denyIn(p, r); s != nil {
			return s
		}
	}
	return nil
}

func denyIn(p *Policy, r *Request) *Statement {
	for _, s := range p.Statements {
		if s.Deny && s.match(r) != noMatch {
			return s
		}
	}
	return nil
}

// decide decides on a request that nothing denies.
func decide(r *Request, p *Policies) Decision {
	foreign := p.Owner != "" && p.Owner != r.Principal.Account
	bound := resourceKind(p)
	on, matched := bestAllow(p.Resource, r)
	if matched == byAccount && r.Principal.IsRoot() {
		matched = bySelf
	}
	switch {
	case matched == noMatch && (foreign || p.ResourceDecides):
		return Decision{Kind: bound}
	case matched == bySelf && !foreign:
		return Decision{Allowed: true, Statement: on, Kind: bound}
	}
	by := on
	if matched != byRole || foreign {
		if by = firstAllow(p.Identity, r); by == nil && r.Principal.IsRoot() {
			return Decision{Allowed: true, Kind: Identity}
		}
		if by == nil {
			return Decision{Kind: Identity}
		}
	}
	if p.Boundary != nil && allowIn(p.Boundary, r) == nil {
		return Decision{Kind: Boundary}
	}
	if len(p.Session) > 0 && firstAllow(p.Session, r) == nil {
		return Decision{Kind: Session}
	}
	return Decision{Allowed: true, Statement: by, Kind: by.Policy.Kind}
}

// resourceKind returns the kind of the policies on the resource.
func resourceKind(p *Policies) Kind {
	if len(p.Resource) > 0 {
		return p.Resource[0].Kind
	}
	return Resource
}

// bestAllow returns the allowing statement that names the caller most directly.
func bestAllow(policies []*Policy, r *Request) (*Statement, match) {
	var found *Statement
	matched := noMatch
	for _, p := range policies {
		for _, s := range p.Statements {
			if s.Deny {
				continue
			}
			if g := s.match(r); g > matched {
				found, matched = s, g
			}
		}
	}
	return found, matched
}

func firstAllow(policies []*Policy, r *Request) *Statement {
	for _, p := range policies {
		if s := allowIn(p, r); s != nil {
			return s
		}
	}
	return nil
}

func allowIn(p *Policy, r *Request) *Statement {
	for _, s := range p.Statements {
		if !s.Deny && s.match(r) != noMatch {
			return s
		}
	}
	return nil
}

// match returns whether, and how, a statement applies to a request.
func (s *Statement) match(r *Request) match {
	if !r.step(1+len(s.actions)+len(s.resources)) || !s.matchesAction(r) || !s.matchesResource(r) {
		return noMatch
	}
	how := s.matchesPrincipal(r)
	if how == noMatch {
		return noMatch
	}
	for i := range s.conditions {
		if !s.conditions[i].holds(r) {
			return noMatch
		}
	}
	return how
}

func (s *Statement) matchesAction(r *Request) bool {
	for i := range s.actions {
		if s.actions[i].matches(r.Action, r) {
			return !s.notActions
		}
	}
	return s.notActions
}

func (s *Statement) matchesResource(r *Request) bool {
	if s.Policy.Kind == Trust {
		return true
	}
	for i := range s.resources {
		if s.resources[i].matches(r.Resource, r) {
			return !s.notResources
		}
	}
	return s.notResources
}

// matchesPrincipal returns how directly a statement names the caller; an identity policy names whom it is attached to.
func (s *Statement) matchesPrincipal(r *Request) match {
	if s.principals == nil {
		return bySelf
	}
	matched := s.principals.match(r)
	switch {
	case !s.notPrincipals:
		return matched
	case matched == noMatch, matched == byAccount && !r.Principal.IsRoot(): // an account exempts none of its identities
		return bySelf
	}
	return noMatch
}
