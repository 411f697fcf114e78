package access

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// GetResourcePolicyInput names the table or stream whose policy is returned.
type GetResourcePolicyInput struct {
	ResourceArn *string `check:"notnull"`
}

func (in *GetResourcePolicyInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }

func (in *GetResourcePolicyInput) Check() error { return wire.CheckShape(in) }

func (in *GetResourcePolicyInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, policyRef(in.ResourceArn))
}

type getResourcePolicyOutput struct{ Policy, RevisionId string }

func (o getResourcePolicyOutput) AppendJSON(dst []byte) []byte { return wire.AppendMarshaled(dst, o) }

// GetResourcePolicy returns the policy of a table or a stream, in its canonical form.
func GetResourcePolicy(req *engine.Request, in *GetResourcePolicyInput) (getResourcePolicyOutput, error) {
	target, err := parsePolicyTarget(req.Account, *in.ResourceArn)
	if err != nil {
		return getResourcePolicyOutput{}, err
	}
	t, err := target.findTable(req.Account)
	if err != nil {
		return getResourcePolicyOutput{}, err
	}
	p := *target.policyField(t.Def)
	if p == nil {
		return getResourcePolicyOutput{}, policyNotFound(target.arn)
	}
	return getResourcePolicyOutput{withVersion(p.Text), p.Revision}, nil
}

// withVersion returns a policy in its canonical form with a version: one without is of 2008-10-17, but another policy
// than one that says so (ack-api-quirks DDB-TABLE-354, 2026-10-09).
func withVersion(policy string) string {
	if strings.HasPrefix(policy, `{"Version":`) {
		return policy
	}
	return `{"Version":"2008-10-17",` + policy[1:]
}
