package dynamo

import (
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/internal/iam"
)

// permit asks whether the caller may do what a request wants, which is checked and has not looked at any table. Each table
// of a batch is asked about once, each member of a transaction by itself.
func (c *request) permit(in input) error {
	return c.accesses(in, func(a identity.Access) error { return refusal(c.service.gate.Authorize(c.who, a)) })
}

// accesses calls ask for each access that a request needs, in its order, up to the first error. An access is valid until
// ask returns.
func (c *request) accesses(in input, ask func(identity.Access) error) error {
	q := &c.asked
	q.request, q.in = c, in
	q.refs = appendResourceRefs(q.refs[:0], c.event.Operation, in)
	if in, ok := in.(impliedRefs); ok {
		q.refs = in.appendImpliedRefs(q.refs)
	}
	defer q.forget()
	for q.from = 0; q.from < len(q.refs); q.from = q.to {
		first := &q.refs[q.from]
		q.to = q.from + 1
		for !q.transacted() && q.to < len(q.refs) && sameTarget(first, &q.refs[q.to]) {
			q.to++
		}
		q.table, q.values = (*c.account.tables.Load())[first.table], nil
		a := identity.Access{Action: actionName(first.action), Resource: q.resource(first), Context: q, Work: c.budget()}
		if q.table != nil {
			a.Policy = q.table.policyFor(first)
		}
		if err := ask(a); err != nil {
			return err
		}
	}
	return nil
}

func sameTarget(a, b *resourceRef) bool {
	return a.table == b.table && a.index == b.index && a.action == b.action && a.resource == b.resource
}

// actionName is what policies call an action.
func actionName(action string) string { return "dynamodb:" + action }

// resource is the ARN that policies are asked about.
func (q *accessContext) resource(t *resourceRef) string {
	switch {
	case t.resource != "":
		return t.resource
	case t.table == "" && t.action == "ListTables":
		return q.request.account.arn("dynamodb", "table/*")
	case t.table == "":
		return "*"
	case t.index != "":
		return q.request.account.arn("dynamodb", "table/"+t.table+"/index/"+t.index)
	case q.table != nil:
		return q.table.def.ARN
	}
	return q.request.account.arn("dynamodb", "table/"+t.table)
}

// accessContext is what policies are asked about a request: the touches from one position to another. It knows the values of
// DynamoDB's condition keys, which it finds only when a policy has such a condition.
type accessContext struct {
	request  *request
	in       input
	refs     []resourceRef
	from, to int
	table    *table        // that the touches name; nil when there is none
	values   *policyValues // of the request; nil: not gathered yet
}

// forget lets go of the request.
func (q *accessContext) forget() {
	clear(q.refs)
	*q = accessContext{refs: q.refs[:0]}
}

// transacted says whether the request is a transaction.
func (q *accessContext) transacted() bool {
	return q.request.event.Operation == "TransactWriteItems" || q.request.event.Operation == "TransactGetItems"
}

// The asked values are those of a policy's conditions.
var _ iam.Values = (*accessContext)(nil)
