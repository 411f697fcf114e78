package access

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
)

// System describes a system beyond its OpenAPI document.
type System struct {
	Name  string // its first path segment, such as kefir
	Title string // for display
	Kinds []Kind // in the order of the table's columns
	// Open lists the operations that anyone may call, by id. Any other operation that declares this is an error.
	Open map[string]PublicOperation
	// Own lists operations whose path has an id in each caller's own namespace, with the reason: another caller's thing
	// with the same id is a different one.
	Own map[string]string
	// Except lists credentials that satisfy the scheme of an operation but not the operation itself.
	Except map[string]Exception
	// Absent lists, by operation id and in order, the calls made to the store before another user's thing is reported
	// as not found. Each is written like a step about the wire, or its beginning. {batchId} stands for the person's
	// value of that name, and {caller} for the caller.
	Absent map[string][]string
}

// PublicOperation is an operation that anyone may call.
type PublicOperation struct {
	Reason string
	Status int // status of a request for a person's thing; 0 means 200
}

// MonitoringOperations returns the operations of every system that monitoring may call.
func MonitoringOperations() map[string]PublicOperation {
	return map[string]PublicOperation{"health": {Reason: "monitoring"}, "stats": {Reason: "monitoring"}}
}

// Exception describes how an operation refuses kinds of credentials that satisfy its scheme.
type Exception struct {
	Kinds  []string
	Status int
	Reason string
}

// Kind is a kind of credential.
type Kind struct {
	Name   string   // in plain words, such as an expired token
	Scheme string   // scheme of the operations that check it; empty: none does
	Status int      // status of the refusal; 0: accepted
	Calls  []string // calls made to the store to check it, as in Absent
	Of     string   // the kind that it is a stranger's credential of; empty: it is the person's own
}

// verdict is the expected result of a request.
type verdict int

const (
	refused verdict = iota // refused as unauthenticated or unauthorized
	absent                 // another user's thing: not found
	own                    // the caller reaches only the caller's own things
	passes                 // the request succeeds
	public                 // anyone may call
)

// expectation is the expected result in a cell of the table.
type expectation struct {
	verdict
	status int // for refused, absent and public
	calls  []string
}

func (s System) expect(o Operation, k Kind) expectation {
	exception, excepted := s.Except[o.ID]
	_, ownID := s.Own[o.ID]
	switch {
	case o.Open:
		return expectation{verdict: public, status: s.Open[o.ID].Status}
	case k.Scheme != o.Scheme:
		return expectation{verdict: refused, status: http.StatusUnauthorized}
	case k.Status != 0:
		return expectation{verdict: refused, status: k.Status, calls: k.Calls}
	case excepted && slices.Contains(exception.Kinds, k.Name):
		return expectation{verdict: refused, status: exception.Status, calls: k.Calls}
	case k.Of != "" && o.hasPathParameter() && !ownID:
		return expectation{verdict: absent, status: http.StatusNotFound, calls: slices.Concat(k.Calls, s.Absent[o.ID])}
	case k.Of != "":
		return expectation{verdict: own}
	}
	return expectation{verdict: passes}
}

// cell returns the text of the table's cell.
func (e expectation) cell() string {
	switch e.verdict {
	case own:
		return "own"
	case passes, public:
		return "yes"
	}
	return fmt.Sprint(e.status)
}

// inconsistencies lists the system's settings for operations that its document does not have, or that contradict the
// document.
func (s System) inconsistencies(operations []Operation) (wrong []string) {
	byID := map[string]Operation{}
	for _, o := range operations {
		byID[o.ID] = o
		if _, listed := s.Open[o.ID]; o.Open != listed {
			wrong = append(wrong, fmt.Sprintf("%s: open to everybody is %v, and listed as such is %v", o.ID, o.Open, listed))
		}
	}
	configured := slices.Concat(slices.Collect(maps.Keys(s.Open)), slices.Collect(maps.Keys(s.Own)),
		slices.Collect(maps.Keys(s.Except)), slices.Collect(maps.Keys(s.Absent)))
	for _, id := range configured {
		if _, known := byID[id]; !known {
			wrong = append(wrong, fmt.Sprintf("%s is no operation", id))
		}
	}
	return wrong
}
