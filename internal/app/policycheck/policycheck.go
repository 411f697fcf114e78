// Package policycheck evaluates policies against the requests of a recording: which statement allows or denies each of
// them, and which policy would be the least that all of them need.
package policycheck

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/tabletop-db/tabletop/internal/model/iam"
	"github.com/tabletop-db/tabletop/internal/model/identities"
	"github.com/tabletop-db/tabletop/internal/model/recording"
)

// Source is the source of policies.
type Source struct {
	// Directory has the policies of the callers. Nil: there is only Policy.
	Directory *identities.Directory
	// Policy replaces all other policies, as if it were attached to each caller.
	Policy *iam.Policy
	// Principal is the ARN of a caller that replaces the recorded ones; empty: the recorded ones.
	Principal string
	// Context has values of condition keys that replace those of each request.
	Context map[string][]string
}

// Verdict is the decision on one access of a request.
type Verdict struct {
	Entry       *recording.Entry
	Access      recording.Access
	Principal   string
	Explanation iam.Explanation
}

// Check explains every access of a request.
func (s *Source) Check(e *recording.Entry) ([]Verdict, error) {
	who, err := s.principal(e)
	if err != nil {
		return nil, err
	}
	policies, err := s.policies(e, who)
	if err != nil {
		return nil, err
	}
	var all []Verdict
	for _, a := range e.Authorization {
		p := policies
		if s.Directory != nil {
			if onTable := s.Directory.ResourcePolicy(a.Resource); onTable != nil {
				p.Resource = []*iam.Policy{onTable}
			}
		}
		r := &iam.Request{Principal: who, Action: a.Action, Resource: a.Resource, Context: s.context(e, a, &who)}
		all = append(all, Verdict{e, a, who.ARN, iam.Explain(r, &p)})
	}
	return all, nil
}

// principal returns the caller of a request.
func (s *Source) principal(e *recording.Entry) (iam.Principal, error) {
	arn := s.Principal
	if arn == "" {
		arn = e.Principal
	}
	if arn == "" && s.Directory != nil {
		if key, ok := s.Directory.Key(e.AccessKey); ok {
			arn = key.User.ARN
		}
	}
	if arn == "" && s.Directory != nil {
		return iam.Principal{},
			fmt.Errorf("request %d has no caller: it was recorded without identities; set --principal to its caller",
				e.N)
	}
	return iam.ParsePrincipal(arn), nil
}

func (s *Source) policies(e *recording.Entry, principal iam.Principal) (iam.Policies, error) {
	if s.Policy != nil {
		return iam.Policies{Identity: []*iam.Policy{s.Policy}}, nil
	}
	p, ok := s.Directory.Policies(principal)
	if !ok {
		return p, fmt.Errorf(
			"the caller of request %d, %s, is not in the identities: use the identities of the recording, or set --principal",
			e.N, principal.ARN)
	}
	return p, nil
}

// Each calls fn with each entry of a recording, up to the first error.
func Each(in *recording.Reader, fn func(*recording.Entry) error) error {
	for {
		e, err := in.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := fn(e); err != nil {
			return err
		}
	}
}

// Suggest writes the least policy that a recording's requests need, including those that were refused for lack of
// permission. n is the number of requests.
func Suggest(in *recording.Reader, o iam.SuggestOptions) (policy []byte, n int, err error) {
	requests, n, err := distinctAccesses(in, o)
	if err != nil {
		return nil, n, err
	}
	policy, err = iam.Suggest(requests, o)
	return policy, n, err
}

// distinctAccesses returns the accesses of a recording's n requests, each once: a recording may be longer than memory
// holds.
func distinctAccesses(in *recording.Reader, o iam.SuggestOptions) (all []iam.Request, n int, err error) {
	seen := map[string]bool{}
	err = Each(in, func(e *recording.Entry) error {
		for _, a := range e.Authorization {
			if !o.LeadingKeys {
				a.Context = nil // the policy does not depend on it
			}
			id, err := json.Marshal(a)
			if err != nil {
				return err
			}
			if !seen[string(id)] {
				seen[string(id)] = true
				all = append(all, iam.Request{Action: a.Action, Resource: a.Resource, Context: iam.Context(a.Context)})
			}
		}
		if len(e.Authorization) > 0 {
			n++
		}
		return nil
	})
	return all, n, err
}
