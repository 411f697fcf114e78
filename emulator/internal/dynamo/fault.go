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

// errCut means that a fault closes the connection without an answer.
var errCut = errors.New("a fault cuts the connection")

// FaultScope returns what fault rules can do to the operations of DynamoDB and DynamoDB Streams. It must agree with
// what subject reports for each request.
func FaultScope() faults.Scope {
	return faults.Scope{Operations: slices.Concat(slices.Collect(maps.Keys(operations)), slices.Collect(maps.Keys(streamOperations))),
		Only: map[faults.Action][]string{
			faults.Hold:        {"DeleteItem", "PutItem", "TransactGetItems", "TransactWriteItems", "UpdateItem"},
			faults.Stale:       {"BatchGetItem", "GetItem", "Query", "Scan"},
			faults.Unprocessed: {"BatchGetItem", "BatchWriteItem"},
		}}
}

// applyFaults evaluates the fault rules for a valid request, and applies what they do before the operation runs.
// a.Verdict keeps what they do later.
func applyFaults(req *engine.Request, in wire.Input) error {
	touches := engine.AppendResourceRefs(nil, req.Event.Operation, in)
	verdict := req.Engine.Faults.Apply(subject(req, in, touches))
	req.Verdict, req.Stale = &verdict, verdict.Stale
	req.Pause(verdict.Before)
	switch verdict.Refuse {
	case faults.Throttle:
		return throttleBy(req, in, touches)
	case faults.InternalError:
		req.Event.Induced = true
		return wire.InternalError("")
	case faults.Unavailable:
		return unavailable()
	case faults.CutBeforeCommit:
		return errCut
	}
	return nil
}

// subject describes the request for the fault rules.
func subject(req *engine.Request, in wire.Input, touches []engine.ResourceRef) *faults.Request {
	is := engine.TraitsOf(in)
	s := &faults.Request{Operation: req.Event.Operation, Callers: names(req), Eventual: is.EventuallyConsistent, Batch: is.Batch, HoldsItems: is.HoldsLatches}
	for _, t := range touches {
		s.Resources = append(s.Resources, faultTouch(req, in, t))
	}
	return s
}

// names returns the names by which rules can match the caller: access key, user, role, and the ARNs of user and role.
func names(req *engine.Request) []string {
	names := []string{req.Event.AccessKey}
	if req.Principal == nil {
		return names
	}
	names = append(names, req.Principal.ARN, req.Principal.UserName)
	if role := req.Principal.Role; role != "" {
		names = append(names, role, role[strings.LastIndexByte(role, '/')+1:])
	}
	return names
}

// faultTouch returns a resource with the key that rules match: the key of one item, or of all items that a Query of a
// table reads.
func faultTouch(req *engine.Request, in wire.Input, t engine.ResourceRef) faults.Resource {
	of := faults.Resource{Table: t.Table}
	table, err := req.Account.Table(t.Table)
	if err != nil {
		return of
	}
	if q, ok := in.(engine.KeyRangeReader); ok && t.Index == "" {
		if key := q.KeyCondition(table); key != nil {
			of.Partition, of.Sort = keyTexts(key)
		}
	}
	if t.Item == nil {
		return of
	}
	if v, ok := t.Item.Field(table.Keys.Partition.Name); ok {
		of.Partition = access.KeyText(v)
	}
	if v, ok := t.Item.Field(table.Keys.Sort.Name); ok && table.Keys.Sort.Name != "" {
		of.Sort = access.KeyText(v)
	}
	return of
}

// keyTexts returns the key values of a key condition; the sort key is empty unless the condition requires equality.
func keyTexts(c *expr.KeyCondition) (partition, sort string) {
	if c.Sort.Op == expr.Equal {
		sort = access.KeyText(c.Sort.Low)
	}
	return access.KeyText(c.Partition), sort
}

// throttleBy returns the error for a request that a rule throttles: the error of its first table without capacity left.
// A request without a table gets the service's error for control-plane throttling.
func throttleBy(req *engine.Request, in wire.Input, touches []engine.ResourceRef) error {
	t, err := req.Account.Table(touches[0].Table)
	if err != nil {
		return wire.DynamoError(wire.ThrottlingException, "Rate exceeded")
	}
	refused := &capacity.Throttled{Resource: t.Stats.Meter, Limit: capacity.Provisioned, Write: engine.TraitsOf(in).Writes, OnDemand: t.Def.BillingMode == engine.OnDemand}
	if refused.OnDemand {
		refused.Limit = capacity.KeyRange
	}
	if x, ok := t.Index(touches[0].Index); ok && !x.Local {
		refused.Resource, refused.Index = x.Stats.Meter, true
	}
	reason := req.RecordThrottle(t, refused)
	if engine.TraitsOf(in).Transaction {
		reasons := make([]wire.CancellationReason, len(touches))
		e, _ := engine.AsThrottled(reason)
		reasons[0] = wire.CancellationReason{Code: e.CancellationCode(), Message: e.Message}
		return data.TransactionCanceled(reasons)
	}
	return reason
}

// unavailable returns the service's answer while it is unavailable. Its error type is not known; SDKs decide by the
// status.
func unavailable() *wire.Error {
	return &wire.Error{Status: http.StatusServiceUnavailable, Type: wire.CoralNamespace + "ServiceUnavailableException",
		Message: "DynamoDB is currently unavailable. This should be a temporary state."}
}
