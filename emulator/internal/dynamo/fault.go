package dynamo

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/capacity"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/faults"
)

// errCut ends the connection of a request that is not answered.
var errCut = errors.New("a fault cuts the connection")

// FaultScope is what the rules of faults can do to the operations of DynamoDB and its streams, as subject says of each request.
func FaultScope() faults.Scope {
	return faults.Scope{Operations: slices.Concat(slices.Collect(maps.Keys(operations)), slices.Collect(maps.Keys(streamOperations))),
		Only: map[faults.Action][]string{
			faults.Hold:        {"DeleteItem", "PutItem", "TransactGetItems", "TransactWriteItems", "UpdateItem"},
			faults.Stale:       {"BatchGetItem", "GetItem", "Query", "Scan"},
			faults.Unprocessed: {"BatchGetItem", "BatchWriteItem"},
		}}
}

// applyFaults asks the rules of faults about a request that is sound, and does what they say before it is run. What they say of
// its running remains in a.verdict.
func (a *request) applyFaults(in input) error {
	touches := appendResourceRefs(nil, a.event.Operation, in)
	verdict := a.service.faults.Judge(a.subject(in, touches))
	a.verdict, a.stale = &verdict, verdict.Stale
	a.wait(verdict.Before)
	switch verdict.Refuse {
	case faults.Throttle:
		return a.throttleBy(in, touches)
	case faults.InternalError:
		a.event.Induced = true
		return internalError()
	case faults.Unavailable:
		return unavailable()
	case faults.CutBeforeCommit:
		return errCut
	}
	return nil
}

// subject describes the request to the rules.
func (a *request) subject(in input, touches []resourceRef) *faults.Subject {
	is := traitsOf(in)
	s := &faults.Subject{Operation: a.event.Operation, Who: a.names(), Eventual: is.eventual, Batch: is.batch, Holds: is.holds}
	for _, t := range touches {
		s.Touches = append(s.Touches, a.faultTouch(in, t))
	}
	return s
}

// names are what rules may call whoever asks: access key, user, role, and the ARNs of these.
func (a *request) names() []string {
	names := []string{a.event.AccessKey}
	if a.who == nil {
		return names
	}
	names = append(names, a.who.ARN, a.who.UserName)
	if role := a.who.Role; role != "" {
		names = append(names, role, role[strings.LastIndexByte(role, '/')+1:])
	}
	return names
}

// faultTouch is a touch with its key as rules have it: that of one item, or of all items that a Query of a table reads.
func (a *request) faultTouch(in input, t resourceRef) faults.Touch {
	of := faults.Touch{Table: t.table}
	table, err := a.account.table(t.table)
	if err != nil {
		return of
	}
	if q, ok := in.(keyReader); ok && t.index == "" {
		if key := q.keyOn(table); key != nil {
			of.Partition, of.Sort = keyTexts(key)
		}
	}
	if t.item == nil {
		return of
	}
	if v, ok := t.item.Field(table.keys.hash.name); ok {
		of.Partition = keyText(v)
	}
	if v, ok := t.item.Field(table.keys.sort.name); ok && table.keys.sort.name != "" {
		of.Sort = keyText(v)
	}
	return of
}

// keyTexts is the key of what a condition finds; the sort key is empty unless it is one.
func keyTexts(c *expr.KeyCondition) (partition, sort string) {
	if c.Sort.Op == expr.Equal {
		sort = keyText(c.Sort.Low)
	}
	return keyText(c.Partition), sort
}

// hold waits as the rules say, while the request's items are in use. It waits once, however often the request is run.
func (a *request) hold() {
	if a == nil || a.verdict == nil {
		return
	}
	inside := a.verdict.Inside
	a.verdict.Inside = nil
	a.wait(inside)
}

// wait waits for what a rule says. Other long requests work meanwhile.
func (a *request) wait(pauses faults.Pauses) {
	if len(pauses) > 0 {
		a.work.EndTurn()
		a.service.faults.Wait(a.ctx, pauses)
	}
}

// unprocessed are the members of a batch, in the order of its touches, that are to come back; nil for none.
func (a *request) unprocessed() []bool {
	if a.verdict == nil {
		return nil
	}
	return a.verdict.Undone
}

// losesAnswer says whether the answer is to be lost.
func (a *request) losesAnswer() bool { return a.verdict != nil && a.verdict.Lose }

// throttleBy is the answer to a request that a rule throttles: that of its first table, as if it had no capacity left. One
// about no table is throttled as the service throttles those.
func (a *request) throttleBy(in input, touches []resourceRef) error {
	t, err := a.account.table(touches[0].table)
	if err != nil {
		return dynamoError(throttlingEx, "Rate exceeded")
	}
	refused := &capacity.Throttled{Resource: t.stats.meter, Limit: capacity.Provisioned, Write: traitsOf(in).writes, OnDemand: t.def.BillingMode == onDemand}
	if refused.OnDemand {
		refused.Limit = capacity.KeyRange
	}
	if x, ok := t.index(touches[0].index); ok && !x.local {
		refused.Resource, refused.Index = x.stats.meter, true
	}
	reason := a.throttle(t, refused)
	if traitsOf(in).transaction {
		reasons := make([]cancellationReason, len(touches))
		e, _ := asThrottled(reason)
		reasons[0] = cancellationReason{Code: e.cancellation(), Message: e.Message}
		return transactionCanceled(reasons)
	}
	return reason
}

// unavailable is the service's answer while it cannot be reached. Its type is not known; SDKs go by the status.
func unavailable() *Error {
	return &Error{Status: http.StatusServiceUnavailable, Type: coralService + "ServiceUnavailableException",
		Message: "DynamoDB is currently unavailable. This should be a temporary state."}
}
