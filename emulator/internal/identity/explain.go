package identity

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/internal/model/iam"
)

// Question asks whether a principal may do something, and why.
type Question struct {
	Principal string // the ARN of a user, a role or a session of a role
	Action    string // such as dynamodb:GetItem
	Resource  string // an ARN
	// Context has the values of condition keys beyond those of the principal and the time.
	Context map[string][]string
	// Policy is the resource's policy; nil: that of the identities, if any.
	Policy *iam.Policy
}

// ErrUnknownPrincipal reports a question about somebody who is not among the identities.
var ErrUnknownPrincipal = errors.New("the principal is not among the identities: use the ARN of a user, a role or its session")

// ErrTooMuchWork reports a question whose values take too long to compare with the wildcards of policies.
var ErrTooMuchWork = errors.New("comparing the values with the policies takes too much work: ask about fewer or shorter values")

// explainSteps is the most work of one question, 1/32 of that of a request of DynamoDB.
const explainSteps = 1 << 22

// Explain answers a question as Authorize decides, except for what only a request has: the caller's address, the user
// agent, and the policy of a session. Errors: ErrUnknownPrincipal, which includes that there are no identities,
// and ErrTooMuchWork.
func (s *Service) Explain(q Question) (iam.Explanation, error) {
	st := s.current.Load()
	if st == nil {
		return iam.Explanation{}, ErrUnknownPrincipal
	}
	c := st.credentialOf(q.Principal)
	if c == nil {
		return iam.Explanation{}, ErrUnknownPrincipal
	}
	who := c.principal
	who.credential, who.now, who.Region = c, s.clock.Now(), iam.RegionOf(q.Resource)
	policies := c.policies
	if q.Policy == nil {
		q.Policy = st.directory.ResourcePolicy(q.Resource)
	}
	if q.Policy != nil {
		policies.Resource = []*iam.Policy{q.Policy}
	}
	given := iam.Context{}
	for key, values := range q.Context {
		given[strings.ToLower(key)] = slices.Clone(values)
	}
	work := budget.New(context.Background(), budget.Limits{Steps: explainSteps})
	defer work.Close()
	r := iam.Request{Principal: who.Principal, Action: q.Action, Resource: q.Resource,
		Context: &combinedValues{given, &who}, Work: work}
	e := iam.Explain(&r, &policies)
	if work.Err() != nil {
		return iam.Explanation{}, ErrTooMuchWork
	}
	return e, nil
}

// credentialOf returns the credential of a user, a role, or a session of a role, without keys; nil if there is none.
func (st *state) credentialOf(arn string) *credential {
	if u, ok := st.directory.User(arn); ok {
		return userCredential("", u)
	}
	if r, ok := st.directory.Role(arn); ok {
		return roleCredential("", r, "session")
	}
	principal := iam.ParsePrincipal(arn)
	if r, ok := st.directory.Role(principal.Role); ok {
		return roleCredential("", r, arn[strings.LastIndexByte(arn, '/')+1:])
	}
	return nil
}
