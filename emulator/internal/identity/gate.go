package identity

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/internal/iam"
)

// DefaultAccount is the account of requests where there are no identities.
const DefaultAccount = "000000000000"

// Access is something that a request wants to do.
type Access struct {
	Action   string     // such as kms:Decrypt
	Resource string     // an ARN
	Context  iam.Values // the service's own condition keys; nil for none
	// Work bounds what deciding takes. Its error is that of Authorize. nil is the budget that the request's context
	// carries.
	Work iam.Work
	// Policy is the one on the resource; nil for none.
	Policy *iam.Policy
	// PolicyDecides says that without a word of Policy nothing is allowed, as with a key of KMS.
	PolicyDecides bool
}

// Gate is what a service asks about its requests. It is safe for concurrent use.
type Gate interface {
	// Authenticate says who signed a request whose body is given. The error is an [*Error].
	Authenticate(r *http.Request, body []byte) (*Principal, error)
	// Authorize says whether they may do something. The error is an [*Error], or that of the access's Work.
	Authorize(who *Principal, a Access) error
	// On says whether there are identities. If not, Authenticate and Authorize let everything pass.
	On() bool
}

// Open is the gate where there are no identities.
func Open() Gate { return open{} }

type open struct{}

func (open) Authenticate(*http.Request, []byte) (*Principal, error) { return nobody(), nil }

func (open) Authorize(*Principal, Access) error { return nil }

func (open) On() bool { return false }

type gate struct {
	*Service
	service string
}

func (g *gate) On() bool { return g.now.Load() != nil }

func (g *gate) Authenticate(r *http.Request, body []byte) (*Principal, error) {
	st := g.now.Load()
	if st == nil {
		return nobody(), nil
	}
	c, err := readClaim(r)
	if err != nil {
		return nil, err
	}
	v := verifier{service: g.service, region: st.directory.Region, now: g.clock.Now(), machine: g.clock.Machine()}
	if err := v.checkForm(&c); err != nil {
		return nil, err
	}
	found, err := st.find(&c, v.now)
	if err != nil {
		return nil, err
	}
	memory := g.memory.Get().(*scratch)
	err = memory.checkSignature(&c, found.key(c.scope), r, body)
	memory.release(&g.memory)
	if err != nil {
		return nil, err
	}
	who := found.who
	who.credential, who.request, who.now, who.Region = found, r, v.now, c.scope.region
	return &who, nil
}

func (g *gate) Authorize(who *Principal, a Access) error {
	if who.credential == nil {
		return nil
	}
	if a.Work == nil {
		a.Work = budget.From(who.request.Context())
	}
	request := iam.Request{Principal: who.Principal, Action: a.Action, Resource: a.Resource, Context: &both{a.Context, who}, Work: a.Work}
	policies := who.credential.policies
	policies.ResourceDecides = a.PolicyDecides
	if a.Policy == nil {
		a.Policy = g.filePolicy(a.Resource)
	}
	if a.Policy != nil {
		policies.Resource = []*iam.Policy{a.Policy}
	}
	d := iam.Evaluate(&request, &policies)
	if err := a.Work.Step(0); err != nil {
		return err
	}
	if d.Allowed {
		return nil
	}
	g.tell(who, &a, &d)
	return refuse(AccessDenied, d.Message(&request))
}

// tell logs who was refused what, and by which statement.
func (g *gate) tell(who *Principal, a *Access, d *iam.Decision) {
	by := "no " + d.Kind.String() + " allows it"
	if d.Statement != nil {
		by = d.Statement.String()
	}
	g.log.Debug("a request is not allowed", "principal", who.ARN, "action", a.Action, "resource", a.Resource, "because", by)
}

// filePolicy is the policy that the identities themselves have for a table, nil for none.
func (g *gate) filePolicy(resource string) *iam.Policy {
	st := g.now.Load()
	if st == nil || !st.tablePolicies {
		return nil
	}
	return st.directory.ResourcePolicy(resource)
}
