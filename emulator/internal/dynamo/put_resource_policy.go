package dynamo

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/internal/iam"
)

// PutResourcePolicyInput attaches a policy to a table or a stream, or replaces it.
type PutResourcePolicyInput struct {
	ResourceArn                     *string `check:"notnull"`
	Policy                          *string `check:"notnull"`
	ExpectedRevisionId              *string `check:"minlen=1,maxlen=255"`
	ConfirmRemoveSelfResourceAccess *bool
}

func (in *PutResourcePolicyInput) decode(d *decoder) error { return shape.Read(&d.Reader, in) }

func (in *PutResourcePolicyInput) check() error { return checkShape(in) }

func (in *PutResourcePolicyInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	return append(dst, policyTouch(in.ResourceArn))
}

// policyTouch is what an operation on the policy of a resource touches.
func policyTouch(arn *string) resourceRef {
	_, name, _ := strings.Cut(orZero(arn), ":table/") // what is no ARN of a table is refused later
	name, _, _ = strings.Cut(name, "/")
	return resourceRef{table: name, resource: orZero(arn)}
}

// revisionOutput is the id of a change of a policy.
type revisionOutput struct {
	RevisionId string `json:",omitempty"`
}

func (o revisionOutput) appendJSON(dst []byte) []byte { return appendMarshalled(dst, o) }

// putResourcePolicy puts a policy on a table or a stream. One that means the same as the former changes nothing. The
// service takes some seconds to apply it, and refuses another change meanwhile; this does it at once.
func putResourcePolicy(a *request, in *PutResourcePolicyInput) (revisionOutput, error) {
	target, err := a.account.policyTarget(*in.ResourceArn)
	if err != nil {
		return revisionOutput{}, err
	}
	policy, err := parseResourcePolicy(*in.Policy)
	if err != nil {
		return revisionOutput{}, err
	}
	if err := in.checkSelf(a, policy); err != nil {
		return revisionOutput{}, err
	}
	if err := a.account.ddl.Close(a.waiting()); err != nil {
		return revisionOutput{}, err
	}
	defer a.account.ddl.Open()
	t, err := target.find(a.account)
	if err != nil {
		return revisionOutput{}, err
	}
	def := *t.def
	at := target.policy(&def)
	if err := target.checkRevision(*at, in.ExpectedRevisionId); err != nil {
		return revisionOutput{}, err
	}
	if *at != nil && (*at).Text == policy.Canonical {
		return revisionOutput{(*at).Revision}, nil
	}
	*at = &resourcePolicy{Text: policy.Canonical, Revision: a.service.newRevision(*at)}
	_, err = a.account.publish(a.waiting(), &def, nil)
	return revisionOutput{(*at).Revision}, err
}

// checkSelf refuses a policy that takes from the caller what it takes to change it again, unless they say that they know.
// The service's words are not confirmed.
func (in *PutResourcePolicyInput) checkSelf(a *request, policy *iam.Policy) error {
	if a.who == nil || in.ConfirmRemoveSelfResourceAccess != nil && *in.ConfirmRemoveSelfResourceAccess {
		return nil
	}
	for _, action := range []string{"PutResourcePolicy", "GetResourcePolicy", "DeleteResourcePolicy"} {
		if policy.Denies(&iam.Request{Principal: a.who.Principal, Action: actionName(action), Resource: *in.ResourceArn, Context: a.who}) {
			return parameterError("The policy denies the requester " + actionName(action) + " on the resource; set ConfirmRemoveSelfResourceAccess to confirm this")
		}
	}
	return nil
}
