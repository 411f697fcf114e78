package access

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
)

// System is what the table has to know of a system besides its OpenAPI document.
type System struct {
	Name  string // its folder in paths, such as kefir
	Title string // as people call it
	Kinds []Kind // in the order of the table's columns
	// Open are the operations that anybody may call, by their ids. Any other one that declares so is a mistake.
	Open map[string]Open
	// Own are operations whose path has an id that is each caller's own, with the reason: what is another one's is not
	// meant by it.
	Own map[string]string
	// Except are credentials that open the scheme of an operation and not the operation itself.
	Except map[string]Exception
	// Absent are what an operation asks of the store before it says that another one's thing is not found, by its id
	// and in order. As a sentence about the wire has it, or its beginning; {batchId} stands for the value of that name
	// of the person's, and {caller} for who asks.
	Absent map[string][]string
}

// Open is an operation that anybody may call.
type Open struct {
	Why    string
	Status int // that the request for somebody's thing gets; 200 when it is 0
}

// Watched are the operations of every system that whoever watches it may call.
func Watched() map[string]Open {
	return map[string]Open{"health": {Why: "whoever watches the service"}, "stats": {Why: "whoever watches the service"}}
}

// Exception is how an operation refuses kinds of credentials that open its scheme.
type Exception struct {
	Kinds  []string
	Status int
	Why    string
}

// Kind is a kind of credential.
type Kind struct {
	Name   string   // as somebody would say it, such as an expired token
	Scheme string   // of the operations that look at it; empty: none does
	Status int      // with which they refuse it; 0: they let it in
	Asks   []string // what they ask of the store to judge it, as Absent has it
	Of     string   // the kind of which it is a stranger's; empty: it is the person's own
}

// verdict is what must come of a request.
type verdict int

const (
	refused verdict = iota // as a stranger to the system
	absent                 // what is meant is another one's: it is not found
	own                    // the caller reaches only what is the caller's
	passes                 // it is done
	public                 // it does not matter who asks
)

// expectation is a cell of the table.
type expectation struct {
	verdict
	status int // of refused, absent and public
	asks   []string
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
		return expectation{verdict: refused, status: k.Status, asks: k.Asks}
	case excepted && slices.Contains(exception.Kinds, k.Name):
		return expectation{verdict: refused, status: exception.Status, asks: k.Asks}
	case k.Of != "" && o.names() && !ownID:
		return expectation{verdict: absent, status: http.StatusNotFound, asks: slices.Concat(k.Asks, s.Absent[o.ID])}
	case k.Of != "":
		return expectation{verdict: own}
	}
	return expectation{verdict: passes}
}

// cell is how the table shows it.
func (e expectation) cell() string {
	switch e.verdict {
	case own:
		return "own"
	case passes, public:
		return "yes"
	}
	return fmt.Sprint(e.status)
}

// unknown are what the system says of operations that its document does not have, or has otherwise.
func (s System) unknown(operations []Operation) (wrong []string) {
	byID := map[string]Operation{}
	for _, o := range operations {
		byID[o.ID] = o
		if _, listed := s.Open[o.ID]; o.Open != listed {
			wrong = append(wrong, fmt.Sprintf("%s: open to everybody is %v, and listed as such is %v", o.ID, o.Open, listed))
		}
	}
	said := slices.Concat(slices.Collect(maps.Keys(s.Open)), slices.Collect(maps.Keys(s.Own)), slices.Collect(maps.Keys(s.Except)), slices.Collect(maps.Keys(s.Absent)))
	for _, id := range said {
		if _, known := byID[id]; !known {
			wrong = append(wrong, fmt.Sprintf("%s is no operation", id))
		}
	}
	return wrong
}
