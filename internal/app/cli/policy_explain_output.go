package cli

import (
	"fmt"
	"io"

	"github.com/tabletop-db/tabletop/internal/app/policycheck"
	"github.com/tabletop-db/tabletop/internal/model/recording"
	"github.com/tabletop-db/tabletop/internal/util/indented"
	"github.com/tabletop-db/tabletop/internal/util/thousands"
)

// explainReport is the output of tabletop policy explain. As text it is printed request by request, as JSON at the end.
type explainReport struct {
	Requests int               `json:"requests"` // that policies apply to
	Denied   int               `json:"denied"`
	Accesses []explainedAccess `json:"accesses"` // one or more for each request; only of JSON

	out        io.Writer
	json, full bool // full: also explain what is allowed
}

// explainedAccess is the decision on one action of a request on one resource.
type explainedAccess struct {
	Request    int64                `json:"request"` // its number in the recording
	Principal  string               `json:"principal,omitempty"`
	Action     string               `json:"action"`
	Resource   string               `json:"resource"`
	Allowed    bool                 `json:"allowed"`
	Reason     string               `json:"reason"`
	Statements []explainedStatement `json:"statements,omitempty"` // absent if it is allowed, without --request
}

// explainedStatement is why a statement applies or does not.
type explainedStatement struct {
	Statement string   `json:"statement"`
	Effect    string   `json:"effect"`
	Policy    string   `json:"policy"` // the kind of policy
	Applies   bool     `json:"applies"`
	Reasons   []string `json:"reasons,omitempty"` // why it does not apply
}

// add adds the decisions on a request.
func (r *explainReport) add(e *recording.Entry, verdicts []policycheck.Verdict) error {
	denied := false
	for _, v := range verdicts {
		access := r.explain(e, v)
		denied = denied || !access.Allowed
		if r.json {
			r.Accesses = append(r.Accesses, access)
		} else if err := access.print(r.out); err != nil {
			return err
		}
	}
	r.Requests++
	if denied {
		r.Denied++
	}
	return nil
}

// explain returns a decision with the statements that explain it.
func (r *explainReport) explain(e *recording.Entry, v policycheck.Verdict) explainedAccess {
	allowed := v.Explanation.Decision.Allowed
	access := explainedAccess{Request: e.N, Principal: v.Principal, Action: v.Access.Action, Resource: v.Access.Resource,
		Allowed: allowed, Reason: v.Explanation.String()}
	if allowed && !r.full {
		return access
	}
	for _, found := range v.Explanation.Statements {
		access.Statements = append(access.Statements, explainedStatement{Statement: found.Statement.String(),
			Effect: found.Statement.Effect(), Policy: found.Kind.String(), Applies: found.Applies, Reasons: found.Reasons})
	}
	return access
}

func (a explainedAccess) print(out io.Writer) error {
	_, err := fmt.Fprintf(out, "%d  %s  %s\n    %s\n", a.Request, a.Action, a.Resource, a.Reason)
	for _, s := range a.Statements {
		if s.Applies {
			_, _ = fmt.Fprintf(out, "    - %s: %s, applies\n", s.Statement, s.Effect)
		}
		for _, reason := range s.Reasons {
			_, _ = fmt.Fprintf(out, "    - %s: %s\n", s.Statement, reason)
		}
	}
	return err
}

// end prints the summary, or all of the JSON. Errors: some requests are denied.
func (r *explainReport) end() error {
	if err := r.summarize(); err != nil {
		return err
	}
	if r.Denied > 0 {
		return fmt.Errorf("%s", thousands.Sprintf("%d of %d requests are denied", r.Denied, r.Requests))
	}
	return nil
}

func (r *explainReport) summarize() (err error) {
	switch {
	case r.json:
		err = indented.WriteJSON(r.out, r)
	case r.Denied > 0:
		_, err = thousands.Fprintf(r.out, "FAIL  %d of %d requests are denied\n", r.Denied, r.Requests)
	default:
		_, err = thousands.Fprintf(r.out, "PASS  %d requests are allowed\n", r.Requests)
	}
	return err
}
