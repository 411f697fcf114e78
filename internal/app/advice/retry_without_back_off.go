package advice

import (
	"fmt"
	"time"
)

// retryWithoutBackOff finds requests that are sent again at once, several times, after they were throttled or the
// service failed: this prolongs the overload. SDKs wait a random part of a time that doubles, so that one or two of
// their retries may come at once too. Many users who send the same request, such as reads of a hot key, look like one
// who repeats it; but then others send it also after it has succeeded.
var retryWithoutBackOff = Rule{
	ID:    "retry-without-back-off",
	Title: "requests that are sent again at once after a failure",
	Source: "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/" +
		"Programming.Errors.html#Programming.Errors.RetryAndBackoff",
	watch: func(*Review) watcher {
		return dynamoDB{&retries{open: map[string]*attempts{}, done: map[string]*attempts{}, popular: map[string]bool{},
			of: map[string]*hasty{}}}
	},
}

// Retries become a finding when this many follow each other, each so soon after the failure.
const (
	hastyRetries = 3
	atOnce       = 10 * time.Millisecond
	// ofOthers is how soon after its success a request comes again if others send it too.
	ofOthers = time.Second
)

type retries struct {
	open    map[string]*attempts // by identity: requests whose last attempt failed
	done    map[string]*attempts // those that then succeeded, until they come again
	popular map[string]bool      // identities of requests that several users send
	of      map[string]*hasty    // by table
}

// attempts is a request and its retries.
type attempts struct {
	first, last *Request
	retries     int
	soon        int // the last retries that came at once, one after the other
	mostSoon    int
}

// hasty is the requests for one table that were sent again hastyRetries times or more.
type hasty struct {
	finding Finding
	calm    int // requests whose program waited
}

func (s *retries) see(r *Request) {
	if len(s.open)+len(s.done) == 0 && !r.overloaded() {
		return
	}
	id := r.identity()
	s.again(id, r)
	if s.popular[id] {
		return
	}
	a := s.open[id]
	if a != nil && !a.follow(r) {
		delete(s.open, id) // two programs send the same
		return
	}
	switch {
	case r.overloaded() && a == nil:
		s.open[id] = &attempts{first: r, last: r}
	case r.overloaded():
		a.last = r
	case a != nil:
		a.last, s.done[id] = r, a
		delete(s.open, id)
	}
}

// again looks at a request whose last attempt succeeded: if it comes again soon, several users send it.
func (s *retries) again(id string, r *Request) {
	a := s.done[id]
	if a == nil {
		return
	}
	delete(s.done, id)
	if r.Time.Sub(a.last.end()) < ofOthers {
		s.popular[id] = true
	} else {
		s.close(a)
	}
}

// follow counts a retry. It reports false for a request that began before the previous attempt had ended.
func (a *attempts) follow(r *Request) bool {
	pause := r.Time.Sub(a.last.end())
	if pause < 0 {
		return false
	}
	a.retries++
	a.soon++
	if pause >= atOnce {
		a.soon = 0
	}
	a.mostSoon = max(a.mostSoon, a.soon)
	return true
}

// overloaded reports whether the service refused the request for now: it may succeed later.
func (r *Request) overloaded() bool {
	return r.Status >= 500 || r.Error == "ProvisionedThroughputExceededException" || r.Error == "ThrottlingException" ||
		r.Error == "RequestLimitExceeded"
}

// close notes a request that is not sent again.
func (s *retries) close(a *attempts) {
	if a.retries < hastyRetries {
		return
	}
	table := a.first.table()
	if len(a.first.accesses) > 0 {
		table = a.first.accesses[0].table
	}
	t := s.of[table]
	if t == nil {
		t = &hasty{finding: Finding{Table: table}}
		s.of[table] = t
	}
	if a.mostSoon < hastyRetries {
		t.calm++
		return
	}
	t.finding.show(a.first, fmt.Sprintf("fails with %s and is sent again %d times, %d of them within %s each",
		a.first.Error, a.retries, a.mostSoon, atOnce))
}

func (s *retries) conclude() []Finding {
	for _, unfinished := range []map[string]*attempts{s.done, s.open} {
		for _, a := range ordered(unfinished) {
			s.close(a)
		}
	}
	var all []Finding
	for _, t := range ordered(s.of) {
		f := t.finding
		if f.Times <= t.calm {
			continue
		}
		f.Problem = times(f.Times, "request was", "requests were") + " sent again and again without a pause after a failure"
		f.Remedy = "Wait before each retry, for a random part of a time that doubles: the SDKs do so unless their retryer is " +
			"replaced"
		all = append(all, f)
	}
	return all
}
