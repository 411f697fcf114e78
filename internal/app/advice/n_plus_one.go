package advice

import "fmt"

// nPlusOne finds queries and scans after which the items that they name are read, or deleted, in one request each, one
// after the other: a batch does that in a hundredth, or a twenty-fifth, of the round trips. Requests at the same time
// are no finding, because they do not wait for each other, and neither are those of a program that does something else
// in between.
var nPlusOne = Rule{
	ID:     "n-plus-one",
	Title:  "a request for each item of a result",
	Source: "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html",
	watch: func(*Review) watcher {
		return dynamoDB{&loops{open: map[string]*loop{}, of: map[string]*looped{}}}
	},
}

// Loops become a finding when there are several with so many requests.
const (
	fewLoops     = 3
	longLoop     = 10 // requests
	overlapShare = 5  // at most one in so many requests of a loop begins before the previous one has ended
)

type loops struct {
	open map[string]*loop   // by caller: its last query or scan, if only requests for its items came after it
	of   map[string]*looped // by operation and shape
}

// loop is a query or scan, and the requests for items of its result.
type loop struct {
	source   *Request
	values   map[string]bool // of the attributes in the result, in JSON; nil until they are needed
	keys     map[string]bool // that were requested
	last     *Request
	overlaps int
}

// looped is the loops of one place in a program.
type looped struct {
	finding   Finding
	operation string
	requests  int
}

func (s *loops) see(r *Request) {
	caller := r.caller()
	l := s.open[caller]
	if l != nil && l.takes(r) {
		l.add(r)
		return
	}
	if l != nil {
		s.close(l)
		delete(s.open, caller)
	}
	if (r.Operation == "Query" || r.Operation == "Scan") && r.Done() && len(list(r.Result["Items"])) > 0 {
		if len(s.open) >= maxOpen {
			s.closeAll()
		}
		s.open[caller] = &loop{source: r, keys: map[string]bool{}}
	}
}

// takes reports whether a request reads or deletes another item that the result names.
func (l *loop) takes(r *Request) bool {
	if r.Operation != "GetItem" && r.Operation != "DeleteItem" || !r.Done() || r.accesses[0].conditional() ||
		r.text("ReturnValues") != "" && r.text("ReturnValues") != "NONE" || l.keys[r.accesses[0].key] {
		return false
	}
	if l.last != nil && (l.last.Operation != r.Operation || l.last.table() != r.table()) {
		return false
	}
	if l.values == nil {
		l.values = map[string]bool{}
		for _, item := range list(l.source.Result["Items"]) {
			for _, value := range object(item) {
				l.values[jsonText(value)] = true
			}
		}
	}
	for _, value := range object(r.Body["Key"]) {
		if !l.values[jsonText(value)] {
			return false
		}
	}
	return true
}

func (l *loop) add(r *Request) {
	if l.last != nil && r.Time.Before(l.last.end()) {
		l.overlaps++
	}
	l.keys[r.accesses[0].key], l.last = true, r
}

func (s *loops) closeAll() {
	for _, l := range ordered(s.open) {
		s.close(l)
	}
	clear(s.open)
}

// close notes a loop that has ended.
func (s *loops) close(l *loop) {
	if len(l.keys) < longLoop || l.overlaps*overlapShare > len(l.keys) {
		return
	}
	id := l.last.Operation + l.last.table() + l.source.shape()
	t := s.of[id]
	if t == nil {
		t = &looped{finding: Finding{Table: l.last.table()}, operation: l.last.Operation}
		s.of[id] = t
	}
	t.requests += len(l.keys)
	t.finding.show(l.source, fmt.Sprintf("is followed by %d %s, one after the other, until #%d",
		len(l.keys), l.last.Operation, l.last.N))
}

func (s *loops) conclude() []Finding {
	s.closeAll()
	var all []Finding
	for _, t := range ordered(s.of) {
		f := t.finding
		if f.Times < fewLoops {
			continue
		}
		f.Problem = fmt.Sprintf("%d results are followed by a %s for each item, %d in all", f.Times, t.operation, t.requests)
		if t.operation == "DeleteItem" {
			f.Remedy = "Delete 25 items at a time with BatchWriteItem"
			f.Source = "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html"
		} else {
			f.Remedy = "Read 100 items at a time with BatchGetItem, or project the attributes into the index that is queried"
		}
		all = append(all, f)
	}
	return all
}
