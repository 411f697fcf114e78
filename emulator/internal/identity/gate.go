package identity

import (
	"net/http"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/internal/model/iam"
)

// DefaultAccount is the account of requests without identities, unless [Config] says another.
const DefaultAccount = "000000000000"

// Access is an action of a request to authorize.
type Access struct {
	Action   string     // such as kms:Decrypt
	Resource string     // an ARN
	Context  iam.Values // the service's own condition keys; nil for none
	// Work limits the evaluation; Authorize returns its error. nil means the budget of the request's context.
	Work iam.Work
	// Policy is the resource's policy; nil: none.
	Policy *iam.Policy
	// PolicyDecides means that nothing is allowed unless Policy allows it, as with a KMS key.
	PolicyDecides bool
}

// Gate authenticates and authorizes a service's requests. It is safe for concurrent use.
type Gate interface {
	// Authenticate returns the signer of a request with that body. Errors: an [*Error].
	Authenticate(r *http.Request, body []byte) (*Principal, error)
	// Authorize returns nil if who may do something. Errors: an [*Error], or that of the access's Work.
	Authorize(who *Principal, a Access) error
	// Enabled reports whether there are identities. If not, Authenticate and Authorize allow everything.
	Enabled() bool
}

// AllowAll returns the gate of a service without identities.
func AllowAll() Gate { return allowAll{} }

type allowAll struct{}

func (allowAll) Authenticate(*http.Request, []byte) (*Principal, error) {
	return anonymous(DefaultAccount), nil
}

func (allowAll) Authorize(*Principal, Access) error { return nil }

func (allowAll) Enabled() bool { return false }

type gate struct {
	*Service
	service string
}

func (g *gate) Enabled() bool { return g.current.Load() != nil }

func (g *gate) Authenticate(r *http.Request, body []byte) (*Principal, error) {
	st := g.current.Load()
	if st == nil {
		return anonymous(g.account), nil
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
	memory := g.scratches.Get().(*scratch)
	err = memory.checkSignature(&c, found.key(c.scope), r, body)
	memory.release(&g.scratches)
	if err != nil {
		return nil, err
	}
	who := found.principal
	who.credential, who.request, who.now, who.Region = found, r, v.now, c.scope.region
	return &who, nil
}

func (g *gate) Authorize(principal *Principal, a Access) error {
	if principal.credential == nil {
		return nil
	}
	if a.Work == nil {
		a.Work = budget.From(principal.request.Context())
	}
	request := iam.Request{Principal: principal.Principal, Action: a.Action, Resource: a.Resource,
		Context: &combinedValues{a.Context, principal}, Work: a.Work}
	policies := principal.credential.policies
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
	g.logDenied(principal, &a, &d)
	return newError(AccessDenied, d.Message(&request))
}

// logDenied logs which request was refused, and by which statement.
func (g *gate) logDenied(principal *Principal, a *Access, d *iam.Decision) {
	by := "no " + d.Kind.String() + " allows it"
	if d.Statement != nil {
		by = d.Statement.String()
	}
	g.log.Debug("a request is not allowed", "principal", principal.ARN, "action", a.Action, "resource",
		a.Resource, "because", by)
}

// filePolicy returns the policy that the identities have for a table, or nil.
func (g *gate) filePolicy(resource string) *iam.Policy {
	st := g.current.Load()
	if st == nil || !st.tablePolicies {
		return nil
	}
	return st.directory.ResourcePolicy(resource)
}
