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
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
)

// errCut means that a fault closes the connection without a response.
var errCut = errors.New("a fault cuts the connection")

// FaultScope returns what fault rules can do to the operations of DynamoDB and DynamoDB Streams. It must agree with
// what subject reports for each request.
func FaultScope() faults.Scope {
	return faults.Scope{Operations: slices.Concat(slices.Collect(maps.Keys(operations)),
		slices.Collect(maps.Keys(streamOperations))),
		Only: map[faults.Action][]string{
			faults.Hold: {"BatchExecuteStatement", "DeleteItem", "ExecuteStatement", "ExecuteTransaction", "PutItem",
				"TransactGetItems", "TransactWriteItems", "UpdateItem"},
			faults.Stale:       {"BatchExecuteStatement", "BatchGetItem", "ExecuteStatement", "GetItem", "Query", "Scan"},
			faults.Unprocessed: {"BatchGetItem", "BatchWriteItem"},
			faults.Conflict: {"DeleteItem", "ExecuteStatement", "ExecuteTransaction", "PutItem", "TransactGetItems",
				"TransactWriteItems", "UpdateItem"},
			faults.ShortPage: {"ExecuteStatement", "Query", "Scan"},
			faults.Redeliver: {"GetRecords"},
		}}
}

// applyFaults evaluates the fault rules for a valid request, and applies what they do before the operation runs.
// a.Verdict keeps what they do later.
func applyFaults(req *engine.Request, in wire.Input, body []byte) error {
	refs := engine.AppendResourceRefs(nil, req.Event.Operation, in)
	s := subject(req, in, refs)
	s.Body = body
	verdict := req.Engine.Faults.Apply(s)
	req.Verdict, req.Stale = &verdict, verdict.Stale
	req.Pause(verdict.Before)
	switch verdict.Refuse {
	case faults.Throttle:
		return injectThrottle(req, in, refs)
	case faults.InternalError:
		req.Event.InjectedError = true
		return wire.InternalError("")
	case faults.Unavailable:
		return unavailable()
	case faults.CutBeforeCommit:
		return errCut
	case faults.Conflict:
		return injectConflict(in, refs)
	case faults.ExpiredToken:
		return wire.ServiceError(identity.ExpiredToken, "The security token included in the request is expired")
	}
	return nil
}

// dropResponse ends the request, which is done, without a response: it closes the connection, or resets the HTTP/2
// stream.
func (x *exchange) dropResponse() {
	if x.request.Verdict.Restart {
		x.request.Work.EndTurn()
		x.request.Engine.Faults.Restart()
	}
	panic(http.ErrAbortHandler)
}

// injectConflict returns the error for a write, or a transaction whose first item another transaction uses.
func injectConflict(in wire.Input, refs []engine.ResourceRef) error {
	if !engine.TraitsOf(in).Transaction {
		return engine.ConflictError()
	}
	conflicts := make([]bool, len(refs))
	conflicts[0] = true
	return data.TransactionConflicts(conflicts)
}

// subject describes the request for the fault rules.
func subject(req *engine.Request, in wire.Input, refs []engine.ResourceRef) *faults.Request {
	traits := engine.TraitsOf(in)
	s := &faults.Request{Operation: req.Event.Operation, Client: req.Event.UserAgent, Trace: req.Event.Trace,
		Callers:  callerNames(req),
		Eventual: traits.EventuallyConsistent, Writes: traits.Writes, Transaction: traits.Transaction, Batch: traits.Batch,
		HoldsItems: traits.HoldsLatches, Pages: traits.Pages, Stream: traits.Stream}
	s.Conflicts = traits.HoldsLatches && s.Operation != "BatchExecuteStatement" // whose statements conflict one by one
	for _, ref := range refs {
		s.Resources = append(s.Resources, faultTarget(req, in, ref))
	}
	return s
}

// callerNames returns the names by which rules can match the caller: access key, user, role, and the ARNs of user and
// role.
func callerNames(req *engine.Request) []string {
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

// faultTarget returns a resource with the key that rules match: the key of one item, or of all items that a Query of a
// table reads.
func faultTarget(req *engine.Request, in wire.Input, ref engine.ResourceRef) faults.Resource {
	target := faults.Resource{Table: ref.Table}
	table, err := req.Account.Table(ref.Table)
	if err != nil {
		return target
	}
	if q, ok := in.(engine.KeyRangeReader); ok && ref.Index == "" {
		if key := q.KeyCondition(table); key != nil {
			target.Partition, target.Sort = keyTexts(key)
		}
	}
	if ref.Item == nil {
		return target
	}
	sort := table.Keys.Sort().Name
	if v, ok := ref.Item.Field(table.Keys.Partition().Name); ok {
		target.Partition = access.KeyText(v)
	}
	if v, ok := ref.Item.Field(sort); ok && sort != "" {
		target.Sort = access.KeyText(v)
	}
	return target
}

// keyTexts returns the key values of a table's key condition; the sort key is empty unless the condition requires
// equality.
func keyTexts(c *expr.KeyCondition) (partition, sort string) {
	if len(c.Ranges) > 0 && c.Ranges[0].Op == expr.Equal {
		sort = access.KeyText(c.Ranges[0].Low)
	}
	return access.KeyText(c.Hash[0]), sort
}

// injectThrottle returns the error for a request that a rule throttles: the error of its first table without capacity
// left. A request without a table gets the service's error for control-plane throttling.
func injectThrottle(req *engine.Request, in wire.Input, refs []engine.ResourceRef) error {
	if len(refs) == 0 { // a batch of statements that cannot be parsed
		return wire.DynamoError(wire.ThrottlingException, "Rate exceeded")
	}
	t, err := req.Account.Table(refs[0].Table)
	if err != nil {
		return wire.DynamoError(wire.ThrottlingException, "Rate exceeded")
	}
	throttled := &capacity.Throttled{Resource: t.Stats.Meter, Limit: capacity.Provisioned,
		Write: engine.TraitsOf(in).Writes, OnDemand: t.Def.BillingMode == engine.OnDemand}
	if throttled.OnDemand {
		throttled.Limit = capacity.KeyRange
	}
	if x, ok := t.Index(refs[0].Index); ok && !x.Local {
		throttled.Resource, throttled.Index = x.Stats.Meter, true
	}
	throttlingErr := req.RecordThrottle(t, throttled)
	if engine.TraitsOf(in).Transaction {
		reasons := make([]wire.CancellationReason, len(refs))
		e, _ := engine.AsThrottled(throttlingErr)
		reasons[0] = wire.CancellationReason{Code: e.CancellationCode(), Message: e.Message}
		return data.TransactionCanceled(reasons)
	}
	return throttlingErr
}

// unavailable returns the service's response while it is unavailable. Its error type is not known; SDKs decide by the
// status.
func unavailable() *wire.Error {
	return &wire.Error{Status: http.StatusServiceUnavailable, Type: wire.CoralNamespace + "ServiceUnavailableException",
		Message: "DynamoDB is currently unavailable. This should be a temporary state."}
}
