package metrics

import (
	"encoding/json"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
)

// failed records a request that failed or was throttled in part. These are rare, so parsing their bodies does not
// matter.
func (r *Recorder) failed(e *telemetry.Event, at int64) {
	for _, t := range e.Throttles {
		r.throttled(e.Account, t, at)
	}
	switch {
	case e.Status == 200:
	case e.Status >= 500:
		r.eachTable(e, func(table string) {
			key := requestKey{e.Account, table, e.Operation}
			r.countOne(operationID(key, "SystemErrors"), at)
			if e.InjectedError {
				r.countOne(operationID(key, "FaultInjectionServiceInducedErrors"), at)
			}
		})
	case isThrottling(e):
		r.eachTable(e, func(table string) {
			r.countOne(operationID(requestKey{e.Account, table, e.Operation}, "ThrottledRequests"), at)
		})
	case e.Error == "ConditionalCheckFailedException":
		r.eachTable(e, func(table string) { r.countOne(tableID(e.Account, "ConditionalCheckFailedRequests", table, ""), at) })
	case e.Error == "TransactionConflictException":
		r.eachTable(e, func(table string) { r.countOne(tableID(e.Account, "TransactionConflict", table, ""), at) })
		r.userError(e, at)
	default:
		if e.Error == "TransactionCanceledException" {
			r.conflicts(e, at)
		}
		r.userError(e, at)
	}
}

// userError counts a status 400 for the whole account.
func (r *Recorder) userError(e *telemetry.Event, at int64) {
	r.countOne(ID{e.Account, Namespace, "UserErrors", nil}, at)
}

// isThrottling reports whether an exception is counted by ThrottledRequests and not by UserErrors. That includes a
// transaction that was canceled because of throttling.
func isThrottling(e *telemetry.Event) bool {
	switch e.Error {
	case "ProvisionedThroughputExceededException", "RequestLimitExceeded", "ThrottlingException":
		return true
	case "TransactionCanceledException":
		return len(e.Throttles) > 0
	}
	return false
}

// throttled counts one item that was not read or written because of throttling: in total, and by the resource that
// lacked capacity.
func (r *Recorder) throttled(account string, t telemetry.Throttle, at int64) {
	verb := "Read"
	if t.Write {
		verb = "Write"
	}
	r.countOne(tableID(account, verb+"ThrottleEvents", t.Table, t.Index), at)
	r.countOne(tableID(account, verb+string(t.Limit)+"ThrottleEvents", t.Table, t.Index), at)
}

// named is the part of a request that names its tables.
type named struct {
	TableName     string
	RequestItems  map[string]json.RawMessage
	TransactItems []map[string]struct{ TableName string }
}

// eachTable calls fn once for each table of the request.
func (r *Recorder) eachTable(e *telemetry.Event, fn func(table string)) {
	seen := map[string]bool{}
	once := func(table string) {
		if table != "" && !seen[table] {
			seen[table] = true
			fn(table)
		}
	}
	for _, c := range e.Charges {
		once(c.Table)
	}
	for _, t := range e.Throttles {
		once(t.Table)
	}
	if len(seen) > 0 {
		return
	}
	var in named
	if json.Unmarshal(e.Request, &in) != nil { // a request that is not JSON has no table
		return
	}
	once(in.TableName)
	for table := range in.RequestItems {
		once(table)
	}
	for _, member := range in.TransactItems {
		for _, action := range member {
			once(action.TableName)
		}
	}
}

// conflicts counts the members of a transaction that conflicted with another request: each adds to the sum of its
// table, while all members of one request are one sample.
func (r *Recorder) conflicts(e *telemetry.Event, at int64) {
	var in named
	var out struct{ CancellationReasons []struct{ Code string } }
	if json.Unmarshal(e.Request, &in) != nil || json.Unmarshal(e.Response, &out) != nil ||
		len(in.TransactItems) != len(out.CancellationReasons) {
		return
	}
	met := map[string]float64{}
	for i, reason := range out.CancellationReasons {
		if reason.Code != "TransactionConflict" {
			continue
		}
		for _, action := range in.TransactItems[i] {
			met[action.TableName]++
		}
	}
	for table, n := range met {
		r.registry.Series(tableID(e.Account, "TransactionConflict", table, ""), count).Observe(at, n)
	}
}
