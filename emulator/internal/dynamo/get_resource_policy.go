package dynamo

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"

// GetResourcePolicyInput names the table or stream whose policy is returned.
type GetResourcePolicyInput struct {
	ResourceArn *string `check:"notnull"`
}

func (in *GetResourcePolicyInput) decode(d *decoder) error { return shape.Read(&d.Reader, in) }

func (in *GetResourcePolicyInput) check() error { return checkShape(in) }

func (in *GetResourcePolicyInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	return append(dst, policyTouch(in.ResourceArn))
}

type getResourcePolicyOutput struct{ Policy, RevisionId string }

func (o getResourcePolicyOutput) appendJSON(dst []byte) []byte { return appendMarshalled(dst, o) }

// getResourcePolicy gives the policy of a table or a stream back, in its canonical form.
func getResourcePolicy(a *request, in *GetResourcePolicyInput) (getResourcePolicyOutput, error) {
	target, err := a.account.policyTarget(*in.ResourceArn)
	if err != nil {
		return getResourcePolicyOutput{}, err
	}
	t, err := target.find(a.account)
	if err != nil {
		return getResourcePolicyOutput{}, err
	}
	p := *target.policy(t.def)
	if p == nil {
		return getResourcePolicyOutput{}, policyNotFound(target.arn)
	}
	return getResourcePolicyOutput{p.Text, p.Revision}, nil
}
