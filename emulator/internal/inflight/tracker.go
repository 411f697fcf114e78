// Package inflight counts the memory that requests and answers under way hold, and ends the connections of clients that
// do not take their answers.
//
// A [Tracker] gives each request an account of the process's pool of memory, [budget.Pool]: bodies are counted as they
// come, and answers until their clients have taken them. Where there is too little, a request waits briefly and is then
// refused by its service as a throttled one. While requests wait, a client that has taken nothing of its answer for a
// while is disconnected.
package inflight

import (
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
)

// Limits are the bounds of requests and answers under way. Fields that are zero take the defaults.
type Limits struct {
	Pool     *budget.Pool  // of all buffers; one of budget.DefaultPool bytes by default
	Patience time.Duration // a request waits for memory at most; 3 s by default
	Pressed  time.Duration // an answer makes no progress before it is ended, while others wait; 2 s by default
	Stall    time.Duration // an answer makes no progress before it is ended in any case; 1 min by default
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

// Tracker knows the requests and answers under way. It is safe for concurrent use.
type Tracker struct {
	limits   Limits
	patience budget.Patience
	answers  answers
}

// New returns a tracker of no requests.
func New(l Limits) *Tracker {
	t := &Tracker{limits: l.withDefaults()}
	t.patience = budget.Patience{Time: t.limits.Patience, Every: t.limits.Pressed / 8, Pressed: func(now time.Time) {
		t.answers.endStalled(now.Add(-t.limits.Pressed))
	}}
	return t
}

// Of returns the account of the request that w answers; nil for one that did not come through [Tracker.Wrap].
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

// Pool is the memory that the requests are counted by.
func (t *Tracker) Pool() *budget.Pool { return t.limits.Pool }
