package dynamo

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/capacity"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/access"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/data"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/faults"
)

// errCut ends the connection of a request that is not answered.
var errCut = errors.New("a fault cuts the connection")

// FaultScope is what the rules of faults can do to the operations of DynamoDB and its streams, as subject says of each
// request.
func FaultScope() faults.Scope {
	return faults.Scope{Operations: slices.Concat(slices.Collect(maps.Keys(operations)), slices.Collect(maps.Keys(streamOperations))),
		Only: map[faults.Action][]string{
			faults.Hold:        {"DeleteItem", "PutItem", "TransactGetItems", "TransactWriteItems", "UpdateItem"},
			faults.Stale:       {"BatchGetItem", "GetItem", "Query", "Scan"},
			faults.Unprocessed: {"BatchGetItem", "BatchWriteItem"},
		}}
}

// applyFaults asks the rules of faults about a request that is sound, and does what they say before it is run. What
// they say of its running remains in a.verdict.
func applyFaults(a *engine.Request, in wire.Input) error {
	touches := engine.AppendResourceRefs(nil, a.Event.Operation, in)
	verdict := a.Engine.Faults.Judge(subject(a, in, touches))
	a.Verdict, a.Stale = &verdict, verdict.Stale
	a.Wait(verdict.Before)
	switch verdict.Refuse {
	case faults.Throttle:
		return throttleBy(a, in, touches)
	case faults.InternalError:
		a.Event.Induced = true
		return wire.InternalError()
	case faults.Unavailable:
		return unavailable()
	case faults.CutBeforeCommit:
		return errCut
	}
	return nil
}

// subject describes the request to the rules.
func subject(a *engine.Request, in wire.Input, touches []engine.ResourceRef) *faults.Subject {
	is := engine.TraitsOf(in)
	s := &faults.Subject{Operation: a.Event.Operation, Who: names(a), Eventual: is.Eventual, Batch: is.Batch, Holds: is.Holds}
	for _, t := range touches {
		s.Touches = append(s.Touches, faultTouch(a, in, t))
	}
	return s
}

// names are what rules may call whoever asks: access key, user, role, and the ARNs of these.
func names(a *engine.Request) []string {
	names := []string{a.Event.AccessKey}
	if a.Principal == nil {
		return names
	}
	names = append(names, a.Principal.ARN, a.Principal.UserName)
	if role := a.Principal.Role; role != "" {
		names = append(names, role, role[strings.LastIndexByte(role, '/')+1:])
	}
	return names
}

// faultTouch is a touch with its key as rules have it: that of one item, or of all items that a Query of a table reads.
func faultTouch(a *engine.Request, in wire.Input, t engine.ResourceRef) faults.Touch {
	of := faults.Touch{Table: t.Table}
	table, err := a.Account.Table(t.Table)
	if err != nil {
		return of
	}
	if q, ok := in.(engine.KeyReader); ok && t.Index == "" {
		if key := q.KeyOn(table); key != nil {
			of.Partition, of.Sort = keyTexts(key)
		}
	}
	if t.Item == nil {
		return of
	}
	if v, ok := t.Item.Field(table.Keys.Hash.Name); ok {
		of.Partition = access.KeyText(v)
	}
	if v, ok := t.Item.Field(table.Keys.Sort.Name); ok && table.Keys.Sort.Name != "" {
		of.Sort = access.KeyText(v)
	}
	return of
}

// keyTexts is the key of what a condition finds; the sort key is empty unless it is one.
func keyTexts(c *expr.KeyCondition) (partition, sort string) {
	if c.Sort.Op == expr.Equal {
		sort = access.KeyText(c.Sort.Low)
	}
	return access.KeyText(c.Partition), sort
}

// throttleBy is the answer to a request that a rule throttles: that of its first table, as if it had no capacity left.
// One about no table is throttled as the service throttles those.
func throttleBy(a *engine.Request, in wire.Input, touches []engine.ResourceRef) error {
	t, err := a.Account.Table(touches[0].Table)
	if err != nil {
		return wire.DynamoError(wire.ThrottlingEx, "Rate exceeded")
	}
	refused := &capacity.Throttled{Resource: t.Stats.Meter, Limit: capacity.Provisioned, Write: engine.TraitsOf(in).Writes, OnDemand: t.Def.BillingMode == engine.OnDemand}
	if refused.OnDemand {
		refused.Limit = capacity.KeyRange
	}
	if x, ok := t.Index(touches[0].Index); ok && !x.Local {
		refused.Resource, refused.Index = x.Stats.Meter, true
	}
	reason := a.Throttle(t, refused)
	if engine.TraitsOf(in).Transaction {
		reasons := make([]wire.CancellationReason, len(touches))
		e, _ := engine.AsThrottled(reason)
		reasons[0] = wire.CancellationReason{Code: e.Cancellation(), Message: e.Message}
		return data.TransactionCanceled(reasons)
	}
	return reason
}

// unavailable is the service's answer while it cannot be reached. Its type is not known; SDKs go by the status.
func unavailable() *wire.Error {
	return &wire.Error{Status: http.StatusServiceUnavailable, Type: wire.CoralService + "ServiceUnavailableException",
		Message: "DynamoDB is currently unavailable. This should be a temporary state."}
}
