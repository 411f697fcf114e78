package explore

import (
	"maps"
	"slices"
)

// Request is a request as the database received it.
type Request struct {
	Operation   string   `json:"operation"`
	Tables      []string `json:"tables,omitempty"`      // or containers, in the order in which it names them
	Key         string   `json:"key,omitempty"`         // of the first item that it names, as PARTITION or PARTITION/SORT
	Client      string   `json:"client,omitempty"`      // the user agent
	Trace       string   `json:"trace,omitempty"`       // the header traceparent or X-Amzn-Trace-Id, as sent
	Digest      uint64   `json:"digest,omitempty"`      // of its body: the same request again has the same
	Writes      bool     `json:"writes,omitempty"`      // items
	Eventual    bool     `json:"eventual,omitempty"`    // an eventually consistent read
	Batch       bool     `json:"batch,omitempty"`       // its members can be left unprocessed
	Conflicts   bool     `json:"conflicts,omitempty"`   // it can conflict with transactions of the same table
	Transaction bool     `json:"transaction,omitempty"` // it can conflict with any other write of its items
	Pages       bool     `json:"pages,omitempty"`       // it returns a page of items
	Stream      bool     `json:"stream,omitempty"`      // it returns a page of stream records
	Mishap      Kind     `json:"mishap,omitempty"`      // what happened to it; empty: nothing
	Breaks      bool     `json:"breaks,omitempty"`      // an invariant was broken after it, until the end of the run
	Changed     []Change `json:"changed,omitempty"`     // if it breaks one: items of the invariants, at most MaxChanges
}

// Change is an item before and after a request. A text is empty if there was no such item.
type Change struct {
	Item   string `json:"item"` // table and key
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// MaxChanges is the number of items of a request that breaks an invariant.
const MaxChanges = 5

// Changes returns how items, by their names, differ from before: at most MaxChanges.
func Changes(before, after map[string]string) (list []Change) {
	names := maps.Clone(after)
	if names == nil {
		names = map[string]string{}
	}
	maps.Copy(names, before)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if before[name] != after[name] && len(list) < MaxChanges {
			list = append(list, Change{name, before[name], after[name]})
		}
	}
	return list
}

// target returns the group that the request is counted in: that of its first table.
func (r *Request) target() Target {
	t := Target{Operation: r.Operation}
	if len(r.Tables) > 0 {
		t.Table = r.Tables[0]
	}
	return t
}

// in reports whether a fault for a target matches the request.
func (r *Request) in(t Target) bool {
	return r.Operation == t.Operation && (t.Table == "" || slices.Contains(r.Tables, t.Table))
}

// kinds returns the mishaps that can happen to the request, in the order in which they are tried. transacted are the
// tables that the program uses transactions on: only there can its other writes conflict.
func (r *Request) kinds(transacted map[string]bool) []Kind {
	forItems := r.Writes || r.Eventual || r.Batch || r.Conflicts || r.Pages || r.Stream
	inTransactions := slices.ContainsFunc(r.Tables, func(t string) bool { return transacted[t] })
	can := map[Kind]bool{
		LostResponse:  r.Writes,
		LostRequest:   r.Writes,
		InternalError: r.Writes,
		Unprocessed:   r.Batch,
		ShortPage:     r.Pages,
		Redelivered:   r.Stream,
		Stale:         r.Eventual,
		Conflict:      r.Transaction || r.Conflicts && inTransactions,
		Throttle:      forItems,
		ClockJump:     forItems,
		Restart:       r.Writes,
		ExpiredToken:  forItems,
	}
	return slices.DeleteFunc(Kinds(), func(k Kind) bool { return !can[k] })
}
