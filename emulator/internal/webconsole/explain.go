package webconsole

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// maxQuestion is the size in bytes of the largest question about access. The keys of a batch have up to 300 KB.
const maxQuestion = 512 << 10

// simulate is the action that IAM requires of those who ask about the access of others.
const simulate = "iam:SimulatePrincipalPolicy"

// principal is a user or role whose access can be explained.
type principal struct {
	ARN      string   `json:"arn"`
	Name     string   `json:"name"`
	Kind     string   `json:"kind"` // users or roles
	Policies []string `json:"policies"`
}

// explanation is the response of POST access/explain.
type explanation struct {
	Allowed    bool        `json:"allowed"`
	Summary    string      `json:"summary"` // in one line
	Statements []statement `json:"statements"`
}

// statement is a statement of a policy that was evaluated.
type statement struct {
	Policy    string   `json:"policy"`
	Statement string   `json:"statement"` // with the policy's name
	Kind      string   `json:"kind"`      // such as identity-based policy
	Effect    string   `json:"effect"`    // Allow or Deny
	Applies   bool     `json:"applies"`
	Decides   bool     `json:"decides,omitempty"` // it allowed or denied the request
	Closest   bool     `json:"closest,omitempty"` // of those that could have allowed it
	Reasons   []string `json:"reasons"`           // why it does not apply
}

// serveAccess lists the principals whose access the user may ask about, and explains decisions.
func (c *console) serveAccess(w http.ResponseWriter, r *http.Request, path string) {
	switch {
	case path != "" && path != "explain":
		control.WriteProblem(w, http.StatusNotFound, "the console's API has no access/"+path)
	case path == "" && !isRead(r):
		refuseMethod(w, http.MethodGet, http.MethodHead)
	case path == "explain" && r.Method != http.MethodPost:
		refuseMethod(w, http.MethodPost)
	case !c.identified():
		control.WriteProblem(w, http.StatusConflict, "there are no identities, so that DynamoDB accepts any credentials: "+
			"to have policies, start the emulator with --identities")
	default:
		c.serveAccessTo(w, r, path)
	}
}

// serveAccessTo serves a request of somebody who must have signed in.
func (c *console) serveAccessTo(w http.ResponseWriter, r *http.Request, path string) {
	key, err := c.key(r, anyKey)
	if err != nil {
		control.WriteProblem(w, http.StatusUnauthorized, err.Error())
		return
	}
	who, err := c.authenticate(key)
	if err != nil {
		control.WriteProblem(w, http.StatusUnauthorized, errSignedOut.Error())
		return
	}
	if path == "" {
		writeJSON(w, c.principals(who))
		return
	}
	c.explain(w, r, who)
}

// principals returns those whose access a user may ask about.
func (c *console) principals(who *identity.Principal) []principal {
	all := []principal{}
	for _, e := range c.Identities.List() {
		if c.mayAsk(who, e.ARN) {
			all = append(all, principal{e.ARN, e.Name, e.Kind, append([]string{}, e.Policies...)})
		}
	}
	return all
}

// mayAsk reports whether a user may ask about the access of a principal: everybody about themselves, others as in IAM,
// if a policy allows simulate on the principal.
func (c *console) mayAsk(who *identity.Principal, arn string) bool {
	if arn == who.ARN {
		return true
	}
	e, err := c.Identities.Explain(identity.Question{Principal: who.ARN, Action: simulate, Resource: arn})
	return err == nil && e.Decision.Allowed
}

// explain answers a question.
func (c *console) explain(w http.ResponseWriter, r *http.Request, who *identity.Principal) {
	var q struct {
		Principal, Action, Resource string
		Context                     map[string][]string
	}
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxQuestion)).Decode(&q)
	if err != nil || q.Action == "" || q.Resource == "" {
		control.WriteProblem(w, http.StatusBadRequest,
			`the body must be {"principal":"ARN","action":"dynamodb:GetItem","resource":"ARN","context":{"KEY":["VALUE"]}}`)
		return
	}
	if q.Principal == "" {
		q.Principal = who.ARN
	}
	if !c.mayAsk(who, q.Principal) {
		control.WriteProblem(w, http.StatusForbidden, "you may ask about your own access; that of "+q.Principal+
			" needs a policy that allows "+simulate+" on it")
		return
	}
	e, err := c.Identities.Explain(identity.Question{Principal: q.Principal, Action: q.Action, Resource: q.Resource,
		Context: q.Context, Policy: c.ResourcePolicy(q.Resource)})
	if errors.Is(err, identity.ErrTooMuchWork) {
		control.WriteProblem(w, http.StatusBadRequest, err.Error())
		return
	}
	if err != nil {
		control.WriteProblem(w, http.StatusNotFound, err.Error())
		return
	}
	out := explanation{Allowed: e.Decision.Allowed, Summary: e.String(), Statements: []statement{}}
	closest := e.Closest()
	for i, f := range e.Statements {
		out.Statements = append(out.Statements, statement{f.Statement.Policy.Name, f.Statement.String(), f.Kind.String(),
			f.Statement.Effect(), f.Applies, f.Statement == e.Decision.Statement, i == closest && !e.Decision.Allowed,
			append([]string{}, f.Reasons...)})
	}
	writeJSON(w, out)
}
