package access

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/internal/model/iam"
)

// Refusal converts an error of package identity into the service's error.
func Refusal(err error) error {
	var refused *identity.Error
	if errors.As(err, &refused) {
		return wire.ServiceError(refused.Code, refused.Message)
	}
	return err
}

// Permit returns an error unless policies permit all that the request needs. The request has been checked but has not
// looked at any table. Each table of a batch is authorized once, each member of a transaction separately.
func (q *AccessContext) Permit(req *engine.Request, in wire.Input, gate identity.Gate) error {
	return q.each(req, in, func(a identity.Access) error { return Refusal(gate.Authorize(req.Principal, a)) })
}

// each calls ask for each access that a request needs, in order, until the first error. An access is valid only during
// the call.
func (q *AccessContext) each(req *engine.Request, in wire.Input, ask func(identity.Access) error) error {
	q.request, q.In = req, in
	q.Refs = engine.AppendResourceRefs(q.Refs[:0], req.Event.Operation, in)
	if in, ok := in.(engine.ImpliedResourceNamer); ok {
		q.Refs = in.AppendImpliedRefs(q.Refs)
	}
	defer q.forget()
	for q.from = 0; q.from < len(q.Refs); q.from = q.To {
		first := &q.Refs[q.from]
		q.To = q.from + 1
		for !q.transacted() && q.To < len(q.Refs) && sameTarget(first, &q.Refs[q.To]) {
			q.To++
		}
		q.table, q.Given = (*req.Account.Tables.Load())[first.Table], nil
		a := identity.Access{Action: actionName(first.Action), Resource: q.resource(first), Context: q, Work: req.Budget()}
		if q.table != nil {
			a.Policy = policyFor(q.table, first)
		}
		if err := ask(a); err != nil {
			return err
		}
	}
	return nil
}

func sameTarget(a, b *engine.ResourceRef) bool {
	return a.Table == b.Table && a.Index == b.Index && a.Action == b.Action && a.Resource == b.Resource
}

// actionName returns the IAM name of an action.
func actionName(action string) string { return "dynamodb:" + action }

// resource returns the ARN of the resource to authorize.
func (q *AccessContext) resource(t *engine.ResourceRef) string {
	switch {
	case t.Resource != "":
		return t.Resource
	case t.Table == "" && t.Action == "ListTables":
		return q.request.Account.ARN("dynamodb", "table/*")
	case t.Table == "":
		return "*"
	case t.Index != "":
		return q.request.Account.ARN("dynamodb", "table/"+t.Table+"/index/"+t.Index)
	case q.table != nil:
		return q.table.Def.ARN
	}
	return q.request.Account.ARN("dynamodb", "table/"+t.Table)
}

// AccessContext is the context of one access for policies: a range of the request's resource references. It computes
// the values of DynamoDB's condition keys only when a policy has such a condition.
type AccessContext struct {
	request  *engine.Request
	In       wire.Input
	Refs     []engine.ResourceRef
	from, To int
	table    *engine.Table        // the table that the references name; nil if there is none
	Given    *engine.PolicyValues // of the request; nil until they are gathered
}

// forget drops the references to the request.
func (q *AccessContext) forget() {
	clear(q.Refs)
	*q = AccessContext{Refs: q.Refs[:0]}
}

// transacted reports whether the request is a transaction.
func (q *AccessContext) transacted() bool {
	return q.request.Event.Operation == "TransactWriteItems" || q.request.Event.Operation == "TransactGetItems"
}

// An AccessContext provides the values of conditions in policies.
var _ iam.Values = (*AccessContext)(nil)
