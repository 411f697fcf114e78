package access

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/internal/model/iam"
)

// ConvertError converts an error of package identity into the service's error.
func ConvertError(err error) error {
	var identityErr *identity.Error
	if errors.As(err, &identityErr) {
		return wire.ServiceError(identityErr.Code, identityErr.Message)
	}
	return err
}

// isDenied reports whether policies do not allow something.
func isDenied(err error) bool {
	var e *identity.Error
	return errors.As(err, &e) && e.Code == identity.AccessDenied
}

// Authorize returns an error unless policies permit all that the request needs. The request has been checked but has
// not looked at any table. Each table of a batch is authorized once, each member of a transaction separately.
// The access that is denied is noted in the request's event.
func (q *AccessContext) Authorize(req *engine.Request, in wire.Input, gate identity.Gate) error {
	return q.forEachAccess(req, in, func(a identity.Access) error {
		err := gate.Authorize(req.Principal, a)
		if isDenied(err) && len(req.Event.Accesses) == 0 {
			note(req, a)
		}
		err = ConvertError(err)
		if batch, ok := in.(engine.StatementBatch); ok && err != nil {
			batch.Deny(q.from, err)
			return nil
		}
		return err
	})
}

// forEachAccess calls authorize for each access that a request needs, in order, until the first error. An access is
// valid only during the call.
func (q *AccessContext) forEachAccess(req *engine.Request, in wire.Input, authorize func(identity.Access) error) error {
	q.request, q.input = req, in
	q.refs = engine.AppendResourceRefs(q.refs[:0], req.Event.Operation, in)
	if in, ok := in.(engine.ImpliedResourceNamer); ok {
		q.refs = in.AppendImpliedRefs(q.refs)
	}
	defer q.reset()
	for q.from = 0; q.from < len(q.refs); q.from = q.to {
		ref := &q.refs[q.from]
		q.to = q.from + 1
		for !q.authorizesEach() && q.to < len(q.refs) && sameTarget(ref, &q.refs[q.to]) {
			q.to++
		}
		q.table, q.collected = q.findTable(ref), nil
		a := identity.Access{Action: actionName(ref.Action), Resource: q.resource(ref), Context: q, Work: req.Budget()}
		if q.table != nil {
			a.Policy = q.table.PolicyOf(ref.Resource)
		}
		if err := authorize(a); err != nil {
			return err
		}
	}
	return nil
}

// findTable returns the table that a reference names, also by its stream; nil if there is none.
func (q *AccessContext) findTable(ref *engine.ResourceRef) *engine.Table {
	if ref.Resource != "" {
		return q.request.Account.TableOf(ref.Resource)
	}
	return (*q.request.Account.Tables.Load())[ref.Table]
}

func sameTarget(a, b *engine.ResourceRef) bool {
	return a.Table == b.Table && a.Index == b.Index && a.Action == b.Action && a.Resource == b.Resource
}

// actionName returns the IAM name of an action.
func actionName(action string) string { return "dynamodb:" + action }

// resource returns the ARN of the resource to authorize.
func (q *AccessContext) resource(ref *engine.ResourceRef) string {
	switch {
	case ref.Resource != "":
		return ref.Resource
	case ref.Table == "" && ref.Action == "ListTables":
		return q.request.Account.ARN("dynamodb", "table/*")
	case ref.Table == "":
		return "*"
	case ref.Index != "":
		return q.request.Account.ARN("dynamodb", "table/"+ref.Table+"/index/"+ref.Index)
	case q.table != nil:
		return q.table.Def.ARN
	}
	return q.request.Account.ARN("dynamodb", "table/"+ref.Table)
}

// AccessContext is the context of one access for policies: a range of the request's resource references. It computes
// the values of DynamoDB's condition keys only when a policy has such a condition.
type AccessContext struct {
	request   *engine.Request
	input     wire.Input
	refs      []engine.ResourceRef
	from, to  int
	table     *engine.Table        // the table that the references name; nil if there is none
	collected *engine.PolicyValues // of the request; nil until they are collected
}

// reset drops the references to the request.
func (q *AccessContext) reset() {
	clear(q.refs)
	*q = AccessContext{refs: q.refs[:0]}
}

// inTransaction reports whether the request is a transaction.
func (q *AccessContext) inTransaction() bool {
	switch q.request.Event.Operation {
	case "ExecuteTransaction", "TransactGetItems", "TransactWriteItems":
		return true
	}
	return false
}

// authorizesEach reports whether each member of the request is authorized separately.
func (q *AccessContext) authorizesEach() bool {
	_, batch := q.input.(engine.StatementBatch)
	return batch || q.inTransaction()
}

// An AccessContext provides the values of conditions in policies.
var _ iam.Values = (*AccessContext)(nil)
