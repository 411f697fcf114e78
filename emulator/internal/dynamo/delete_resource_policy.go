package dynamo

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"

// DeleteResourcePolicyInput names the table or stream whose policy is deleted.
type DeleteResourcePolicyInput struct {
	ResourceArn        *string `check:"notnull"`
	ExpectedRevisionId *string `check:"minlen=1,maxlen=255"`
}

func (in *DeleteResourcePolicyInput) decode(d *decoder) error { return shape.Read(&d.Reader, in) }

func (in *DeleteResourcePolicyInput) check() error { return checkShape(in) }

func (in *DeleteResourcePolicyInput) appendResourceRefs(dst []resourceRef) []resourceRef {
	return append(dst, policyTouch(in.ResourceArn))
}

// deleteResourcePolicy takes the policy of a table or a stream away, and tells which revision it was. Without one there is
// nothing to do.
func deleteResourcePolicy(a *request, in *DeleteResourcePolicyInput) (revisionOutput, error) {
	target, err := a.account.policyTarget(*in.ResourceArn)
	if err != nil {
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
	if err := target.checkRevision(*at, in.ExpectedRevisionId); err != nil || *at == nil {
		return revisionOutput{}, err
	}
	revision := (*at).Revision
	*at = nil
	_, err = a.account.publish(a.waiting(), &def, nil)
	return revisionOutput{revision}, err
}
