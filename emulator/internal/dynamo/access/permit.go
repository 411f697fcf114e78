package access

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/internal/iam"
)

// Refusal is the answer to whom identities refuse something.
func Refusal(err error) error {
	var refused *identity.Error
	if errors.As(err, &refused) {
		return wire.ServiceError(refused.Code, refused.Message)
	}
	return err
}

// Permit asks whether who sent a request may do what it wants; it is checked and has not looked at any table. Each
// table of a batch is asked about once, each member of a transaction by itself.
func (q *AccessContext) Permit(c *engine.Request, in wire.Input, gate identity.Gate) error {
	return q.each(c, in, func(a identity.Access) error { return Refusal(gate.Authorize(c.Principal, a)) })
}

// each calls ask for each access that a request needs, in its order, up to the first error. An access is valid until
// ask returns.
func (q *AccessContext) each(c *engine.Request, in wire.Input, ask func(identity.Access) error) error {
	q.request, q.In = c, in
	q.Refs = engine.AppendResourceRefs(q.Refs[:0], c.Event.Operation, in)
	if in, ok := in.(engine.ImpliedRefs); ok {
		q.Refs = in.AppendImpliedRefs(q.Refs)
	}
	defer q.forget()
	for q.from = 0; q.from < len(q.Refs); q.from = q.To {
		first := &q.Refs[q.from]
		q.To = q.from + 1
		for !q.transacted() && q.To < len(q.Refs) && sameTarget(first, &q.Refs[q.To]) {
			q.To++
		}
		q.table, q.Given = (*c.Account.Tables.Load())[first.Table], nil
		a := identity.Access{Action: actionName(first.Action), Resource: q.resource(first), Context: q, Work: c.Budget()}
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

// actionName is what policies call an action.
func actionName(action string) string { return "dynamodb:" + action }

// resource is the ARN that policies are asked about.
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

// AccessContext is what policies are asked about a request: the touches from one position to another. It knows the
// values of DynamoDB's condition keys, which it finds only when a policy has such a condition.
type AccessContext struct {
	request  *engine.Request
	In       wire.Input
	Refs     []engine.ResourceRef
	from, To int
	table    *engine.Table        // that the touches name; nil when there is none
	Given    *engine.PolicyValues // of the request; nil: not gathered yet
}

// forget lets go of the request.
func (q *AccessContext) forget() {
	clear(q.Refs)
	*q = AccessContext{Refs: q.Refs[:0]}
}

// transacted says whether the request is a transaction.
func (q *AccessContext) transacted() bool {
	return q.request.Event.Operation == "TransactWriteItems" || q.request.Event.Operation == "TransactGetItems"
}

// The asked values are those of a policy's conditions.
var _ iam.Values = (*AccessContext)(nil)
