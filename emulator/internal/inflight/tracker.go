// Package inflight counts the memory that requests and answers in progress hold, and disconnects clients that do not
// read their answers.
//
// A [Tracker] gives each request an account of the process's pool of memory, [budget.Pool]: bodies are counted as they
// arrive, and answers until their clients have read them. If there is too little memory, a request waits briefly and is
// then throttled by its service. While requests wait, clients that have not read their answers for a while are
// disconnected.
package inflight

import (
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
)

// Limits are the limits of requests and answers in progress. Zero fields have the defaults.
type Limits struct {
	Pool     *budget.Pool  // of all buffers; default: one of budget.DefaultPool bytes
	Patience time.Duration // longest wait of a request for memory; default: 3 s
	Pressed  time.Duration // how long an answer may make no progress while others wait for memory; default: 2 s
	Stall    time.Duration // how long an answer may make no progress in any case; default: 1 min
}

func (l Limits) withDefaults() Limits {
	set := func(d *time.Duration, value time.Duration) {
		if *d == 0 {
			*d = value
		}
	}
	if l.Pool == nil {
		l.Pool = budget.NewPool(budget.DefaultPool)
	}
	set(&l.Patience, 3*time.Second)
	set(&l.Pressed, 2*time.Second)
	set(&l.Stall, time.Minute)
	return l
}

// Tracker tracks requests and answers in progress. It is safe for concurrent use.
type Tracker struct {
	limits   Limits
	patience budget.Patience
	answers  answers
}

// New returns a tracker.
func New(l Limits) *Tracker {
	t := &Tracker{limits: l.withDefaults()}
	t.patience = budget.Patience{Time: t.limits.Patience, Every: t.limits.Pressed / 8, Pressed: func(now time.Time) {
		t.answers.endStalled(now.Add(-t.limits.Pressed))
	}}
	return t
}

// Of returns the account of the request that w answers, or nil if the request did not come through [Tracker.Wrap].
func Of(w http.ResponseWriter) *budget.Account {
	for {
		switch at := w.(type) {
		case *answer:
			return &at.account
		case interface{ Unwrap() http.ResponseWriter }:
			w = at.Unwrap()
		default:
			return nil
		}
	}
}

// Pool returns the pool that the requests' memory is counted against.
func (t *Tracker) Pool() *budget.Pool { return t.limits.Pool }
