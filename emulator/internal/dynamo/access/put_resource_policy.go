package access

import (
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/internal/model/iam"
)

// PutResourcePolicyInput attaches a policy to a table or a stream, or replaces it.
type PutResourcePolicyInput struct {
	ResourceArn                     *string `check:"notnull"`
	Policy                          *string `check:"notnull"`
	ExpectedRevisionId              *string `check:"minlen=1,maxlen=255"`
	ConfirmRemoveSelfResourceAccess *bool
}

func (in *PutResourcePolicyInput) Decode(d *wire.Decoder) error { return shape.Read(&d.Reader, in) }

func (in *PutResourcePolicyInput) Check() error { return wire.CheckShape(in) }

func (in *PutResourcePolicyInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, policyRef(in.ResourceArn))
}

// policyRef returns a reference to the resource whose policy an operation accesses.
func policyRef(arn *string) engine.ResourceRef {
	_, name, _ := strings.Cut(wire.OrZero(arn), ":table/") // an invalid ARN fails later
	name, _, _ = strings.Cut(name, "/")
	return engine.ResourceRef{Table: name, Resource: wire.OrZero(arn)}
}

// revisionOutput is the response with the revision id of a policy.
type revisionOutput struct {
	RevisionId string `json:",omitempty"`
}

func (o revisionOutput) AppendJSON(dst []byte) []byte { return wire.AppendMarshaled(dst, o) }

// PutResourcePolicy attaches a policy to a table or a stream. A policy that is equivalent to the current one changes
// nothing. The service takes some seconds to apply a policy, and refuses another change until then; the emulator
// applies it at once.
func PutResourcePolicy(req *engine.Request, in *PutResourcePolicyInput) (revisionOutput, error) {
	target, err := parsePolicyTarget(req.Account, *in.ResourceArn)
	if err != nil {
		return revisionOutput{}, err
	}
	policy, err := parsePolicy(*in.Policy, target.stream != "")
	if err != nil {
		return revisionOutput{}, err
	}
	if err := in.checkLockout(req, policy); err != nil {
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
	if err := target.checkRevision(*current, in.ExpectedRevisionId); err != nil {
		return revisionOutput{}, err
	}
	if *current != nil && (*current).Text == policy.Canonical {
		return revisionOutput{(*current).Revision}, nil
	}
	*current = &engine.ResourcePolicy{Text: policy.Canonical, Revision: newRevision(req.Engine, *current)}
	_, err = req.Account.Publish(req.BeginWait(), &def, nil)
	return revisionOutput{(*current).Revision}, err
}

// checkLockout returns an error for a policy that denies the caller to replace it, unless the request confirms that. A
// policy may deny its deletion. (ack-api-quirks DDB-TABLE-210 and DDB-TABLE-270, 2026-10-09.)
func (in *PutResourcePolicyInput) checkLockout(req *engine.Request, policy *iam.Policy) error {
	if req.Principal == nil || in.ConfirmRemoveSelfResourceAccess != nil && *in.ConfirmRemoveSelfResourceAccess {
		return nil
	}
	if !policy.Denies(&iam.Request{Principal: req.Principal.Principal, Action: actionName("PutResourcePolicy"),
		Resource: *in.ResourceArn, Context: req.Principal}) {
		return nil
	}
	return wire.ServiceError("AccessDeniedException",
		"The new resource policy will not allow you to update the resource policy in the future.")
}
