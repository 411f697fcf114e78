package access

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// DeleteResourcePolicyInput names the table or stream whose policy is deleted.
type DeleteResourcePolicyInput struct {
	ResourceArn        *string `check:"notnull"`
	ExpectedRevisionId *string `check:"minlen=1,maxlen=255"`
}

func (in *DeleteResourcePolicyInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }

func (in *DeleteResourcePolicyInput) Check() error { return wire.CheckShape(in) }

func (in *DeleteResourcePolicyInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, policyRef(in.ResourceArn))
}

// DeleteResourcePolicy deletes the policy of a table or a stream, and returns its revision. Without a policy it does
// nothing.
func DeleteResourcePolicy(req *engine.Request, in *DeleteResourcePolicyInput) (revisionOutput, error) {
	target, err := parsePolicyTarget(req.Account, *in.ResourceArn)
	if err != nil {
		return revisionOutput{}, err
	}
	if err := req.Account.DDL.Close(req.BeginWait()); err != nil {
		return revisionOutput{}, err
	}
	defer req.Account.DDL.Open()
	t, err := target.findTable(req.Account)
	if err != nil {
		return revisionOutput{}, err
	}
	def := *t.Def
	current := target.policyField(&def)
	if err := target.checkRevision(*current, in.ExpectedRevisionId); err != nil || *current == nil {
		return revisionOutput{}, err
	}
	revision := (*current).Revision
	*current = nil
	_, err = req.Account.Publish(req.BeginWait(), &def, nil)
	return revisionOutput{revision}, err
}
