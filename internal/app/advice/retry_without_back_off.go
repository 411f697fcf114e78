package advice

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
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
		return dynamoDB{&retries{seed: maphash.MakeSeed(), open: map[uint64]*attempts{}, done: map[uint64]*attempts{},
			popular: map[uint64]bool{}, of: map[string]*hasty{}}}
	},
}

// Retries become a finding when this many follow each other, each so soon after the failure.
const (
	hastyRetries = 3
	atOnce       = 10 * time.Millisecond
	// ofOthers is how soon after its success a request comes again if others send it too.
	ofOthers = time.Second
	// maxFailed is the number of requests that are followed at the same time.
	maxFailed = 10_000
)

type retries struct {
	seed    maphash.Seed
	open    map[uint64]*attempts // by identity, hashed: requests whose last attempt failed
	done    map[uint64]*attempts // those that then succeeded, until they come again
	popular map[uint64]bool      // identities of requests that several users send
	of      map[string]*hasty    // by table
}

// attempts is a request and its retries. It is small, since there are many while a table is throttled.
type attempts struct {
	first    Evidence
	table    string
	err      string // of the first attempt
	ended    time.Time
	retries  int
	soon     int // the last retries that came at once, one after the other
	mostSoon int
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
	if len(s.open)+len(s.done)+len(s.popular) >= maxFailed {
		s.closeAll()
	}
	id := maphash.String(s.seed, r.identity())
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
		s.open[id] = attempted(r)
	case r.overloaded():
		a.ended = r.end()
	case a != nil:
		a.ended, s.done[id] = r.end(), a
		delete(s.open, id)
	}
}

// attempted returns the first attempt of a request.
func attempted(r *Request) *attempts {
	a := &attempts{first: Evidence{N: r.N, Operation: r.Operation}, table: r.table(), err: r.Error, ended: r.end()}
	if len(r.accesses) > 0 {
		a.table = r.accesses[0].table
	}
	return a
}

// again looks at a request whose last attempt succeeded: if it comes again soon, several users send it.
func (s *retries) again(id uint64, r *Request) {
	a := s.done[id]
	if a == nil {
		return
	}
	delete(s.done, id)
	if r.Time.Sub(a.ended) < ofOthers {
		s.popular[id] = true
	} else {
		s.close(a)
	}
}

// follow counts a retry. It reports false for a request that began before the previous attempt had ended.
func (a *attempts) follow(r *Request) bool {
	pause := r.Time.Sub(a.ended)
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
	t := s.of[a.table]
	if t == nil {
		t = &hasty{finding: Finding{Table: a.table}}
		s.of[a.table] = t
	}
	if a.mostSoon < hastyRetries {
		t.calm++
		return
	}
	e := a.first
	e.Text = fmt.Sprintf("fails with %s and is sent again %d times, %d of them within %s each", a.err, a.retries, a.mostSoon,
		atOnce)
	t.finding.add(e)
}

// closeAll notes all requests as not sent again.
func (s *retries) closeAll() {
	all := slices.AppendSeq(slices.Collect(maps.Values(s.done)), maps.Values(s.open))
	slices.SortFunc(all, func(a, b *attempts) int { return cmp.Compare(a.first.N, b.first.N) })
	for _, a := range all {
		s.close(a)
	}
	clear(s.open)
	clear(s.done)
	clear(s.popular)
}

func (s *retries) conclude() []Finding {
	s.closeAll()
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
