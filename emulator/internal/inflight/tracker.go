// Package inflight counts the memory that requests and responses in progress hold, and disconnects clients that do not
// read their responses.
//
// A [Tracker] gives each request an account of the process's pool of memory, [budget.Pool]: bodies are counted as they
// arrive, and answers until their clients have read them. If there is too little memory, a request waits briefly and is
// then throttled by its service. While requests wait, clients that have not read their responses for a while are
// disconnected.
package inflight

import (
	"net/http"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
)

// Limits are the limits of requests and responses in progress. Zero fields have the defaults.
type Limits struct {
	Pool            *budget.Pool  // of all buffers; default: one of budget.DefaultPool bytes
	MaxWait         time.Duration // longest wait of a request for memory; default: 3 s
	PressureTimeout time.Duration // how long a response may make no progress while others wait for memory; default: 2 s
	StallTimeout    time.Duration // how long a response may make no progress in any case; default: 1 min
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
	set(&l.MaxWait, 3*time.Second)
	set(&l.PressureTimeout, 2*time.Second)
	set(&l.StallTimeout, time.Minute)
	return l
}

// Tracker tracks requests and responses in progress. It is safe for concurrent use.
type Tracker struct {
	limits     Limits
	waitPolicy budget.WaitPolicy
	responses  responses
}

// New returns a tracker.
func New(l Limits) *Tracker {
	t := &Tracker{limits: l.withDefaults()}
	t.waitPolicy = budget.WaitPolicy{MaxWait: t.limits.MaxWait, Interval: t.limits.PressureTimeout / 8,
		OnPressure: func(now time.Time) {
			t.responses.endStalled(now.Add(-t.limits.PressureTimeout))
		}}
	return t
}

// AccountOf returns the account of the request whose response w writes, or nil if the request did not come through
// [Tracker.Wrap].
func AccountOf(w http.ResponseWriter) *budget.Account {
	for {
		switch at := w.(type) {
		case *response:
			return &at.account
		case interface{ Unwrap() http.ResponseWriter }:
			w = at.Unwrap()
		default:
			return nil
		}
	}
}

// isCrowded reports whether so much memory is in use that small responses are listed too: many of them could hold all
// of it. Those that are not listed hold at most a quarter.
func (t *Tracker) isCrowded() bool { return t.limits.Pool.Used() > t.limits.Pool.Size()/4 }

// Pool returns the pool that the requests' memory is counted against.
func (t *Tracker) Pool() *budget.Pool { return t.limits.Pool }
