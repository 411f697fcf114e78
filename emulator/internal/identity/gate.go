package identity

import (
	"net/http"

	"github.com/tabletop-db/tabletop/internal/iam"
)

// DefaultAccount is the account of requests where there are no identities.
const DefaultAccount = "000000000000"

// Principal is who asks, for one request. It does not change.
type Principal struct {
	iam.Principal
	UserID    string // aws:userid
	UserName  string // aws:username; empty for the session of a role
	AccessKey string // that signed the request
	Region    string // that the request was signed for
}

// Access is something that a request wants to do.
type Access struct {
	Action   string     // such as kms:Decrypt
	Resource string     // an ARN
	Context  iam.Values // the service's own condition keys; nil for none
	// Policy is the one on the resource; nil for none.
	Policy *iam.Policy
	// PolicyDecides says that without a word of Policy nothing is allowed, as with a key of KMS.
	PolicyDecides bool
}

// Gate is what a service asks about its requests. It is safe for concurrent use.
type Gate interface {
	// Authenticate says who signed a request whose body is given. The error is an [*Error].
	Authenticate(r *http.Request, body []byte) (*Principal, error)
	// Authorize says whether they may do something. The error is an [*Error].
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

// nobody is who asks where nobody needs a name: the account itself.
func nobody() *Principal {
	return &Principal{
		Principal: iam.Principal{ARN: "arn:aws:iam::" + DefaultAccount + ":root", Account: DefaultAccount},
		UserID:    DefaultAccount,
	}
}
