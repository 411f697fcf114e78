package iam

import (
	"fmt"
	"strings"
)

// Explanation is a decision with the finding of each statement.
type Explanation struct {
	Decision   Decision
	Statements []Finding // of all policies, in the order of evaluation
}

// Finding explains whether one statement applies.
type Finding struct {
	Statement *Statement
	Kind      Kind
	Applies   bool
	// Reasons lists why it does not apply: the action, the resource, the principal, or the conditions that do not hold.
	Reasons []string

	distance int // how much of the statement does not apply; 0: it applies
}

// How far a statement is from applying, for each part that does not match.
const (
	otherAction    = 100
	otherPrincipal = 50
	otherResource  = 50
	otherCondition = 1
)

// Closest returns the index of the allowing statement that is closest to applying, or -1 if all are about other actions
// and other resources, or one applies.
func (e *Explanation) Closest() int {
	found := -1
	for i, f := range e.Statements {
		switch {
		case f.Statement.Deny:
		case f.Applies:
			return -1
		case f.distance <= otherAction && (found < 0 || f.distance < e.Statements[found].distance):
			found = i
		}
	}
	return found
}

// Explain decides as [Evaluate] does, and explains the decision.
func Explain(r *Request, p *Policies) Explanation {
	e := Explanation{Decision: Evaluate(r, p)}
	e.add(r, p.Identity)
	e.add(r, p.Resource)
	if p.Boundary != nil {
		e.add(r, []*Policy{p.Boundary})
	}
	e.add(r, p.Session)
	return e
}

func (e *Explanation) add(r *Request, policies []*Policy) {
	for _, p := range policies {
		for _, s := range p.Statements {
			reasons, distance := s.mismatches(r)
			e.Statements = append(e.Statements, Finding{s, p.Kind, len(reasons) == 0, reasons, distance})
		}
	}
}

// mismatches returns the reasons why a statement does not apply to a request, none if it does, and how far it is from
// applying.
func (s *Statement) mismatches(r *Request) (reasons []string, distance int) {
	if !s.matchesAction(r) {
		distance += otherAction
		reasons = append(reasons, "the action "+r.Action+" is not "+namedText(s.notActions, writtenActions(s.actions)))
	}
	if !s.matchesResource(r) {
		distance += otherResource
		reasons = append(reasons, "the resource "+r.Resource+" is not "+namedText(s.notResources, writtenARNs(s.resources)))
	}
	if s.matchesPrincipal(r) == noMatch {
		distance += otherPrincipal
		reasons = append(reasons, "the principal "+r.Principal.ARN+" is not among those it names")
	}
	if len(reasons) > 0 { // conditions of a statement about something else explain nothing
		return reasons, distance
	}
	for i := range s.conditions {
		if c := &s.conditions[i]; !c.holds(r) {
			reasons, distance = append(reasons, c.mismatch(r.Context)), distance+otherCondition
		}
	}
	return reasons, distance
}

// namedText lists what a statement names, with "not" if it excludes that.
func namedText(excluded bool, written []string) string {
	if excluded {
		return "outside " + strings.Join(written, ", ")
	}
	return strings.Join(written, " or ")
}

func writtenActions(patterns []pattern) []string {
	var all []string
	for _, p := range patterns {
		all = append(all, p.text)
	}
	return all
}

func writtenARNs(patterns []arnPattern) []string {
	var all []string
	for _, p := range patterns {
		all = append(all, p.text)
	}
	return all
}

// mismatch states the condition's values and the request's.
func (c *condition) mismatch(of Values) string {
	found := "the request has none"
	if of != nil {
		if values := of.Values(c.key); len(values) > 0 {
			found = "it is " + strings.Join(values, ", ")
		}
	}
	return fmt.Sprintf("%s of %s wants %s: %s", c.operatorText, c.keyText, strings.Join(c.values, " or "), found)
}

// String returns the decision in one line: what allowed or denied it, or what was missing.
func (e *Explanation) String() string {
	d := e.Decision
	switch {
	case d.Allowed && d.Statement == nil:
		return "allowed: it is the account itself"
	case d.Allowed:
		return "allowed by " + d.Statement.String() + " (" + d.Kind.String() + ")"
	case d.Statement != nil:
		return "denied by " + d.Statement.String() + " (" + d.Kind.String() + ")"
	}
	return "denied: no " + d.Kind.String() + " allows it"
}
