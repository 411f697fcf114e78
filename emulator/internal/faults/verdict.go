package faults

import (
	"context"
	"time"
)

// Verdict is what the rules do to a request. The zero value is nothing.
type Verdict struct {
	// Refuse is Throttle, InternalError, Unavailable or CutBeforeCommit for a request that is not to be run; else
	// empty.
	Refuse Action
	Stale  bool   // an eventually consistent read is to see an old state
	Lose   bool   // the answer is to be lost
	Undone []bool // by touch: members of a batch that come back undone; nil for none
	Before Pauses // to be waited before the request is looked at
	Inside Pauses // to be waited while the request's items are in use
}

// Pauses are the waits of a request.
type Pauses []pause

type pause struct {
	rule *live
	wait time.Duration
}

// Judge asks the rules about a request.
func (i *Injector) Judge(s *Subject) Verdict {
	var v Verdict
	now := i.clock.Now()
	for _, l := range i.all() {
		if !l.fits(s) {
			continue
		}
		wait, hit := l.hit(now)
		if !hit {
			continue
		}
		v.add(l, wait, s)
		if l.refuses() {
			break
		}
	}
	return v
}

// add gives the verdict what a rule does.
func (v *Verdict) add(l *live, wait time.Duration, s *Subject) {
	if wait > 0 && l.Do == Hold {
		v.Inside = append(v.Inside, pause{l, wait})
	} else if wait > 0 {
		v.Before = append(v.Before, pause{l, wait})
	}
	switch l.Do {
	case Stale:
		v.Stale = true
	case CutAfterCommit:
		v.Lose = true
	case Unprocessed:
		v.Undone = l.spare(v.Undone, s.Touches)
	}
	if l.refuses() {
		v.Refuse = l.Do
	}
}

// Wait waits, one pause after the other, until they are over, the caller has gone, or nobody is to wait any more. The
// time is the emulator's, which on a clock that stands still passes only when that is moved, or the machine's where a
// rule says so.
func (i *Injector) Wait(ctx context.Context, pauses Pauses) {
	for _, p := range pauses {
		i.wait(ctx, p)
	}
}

func (i *Injector) wait(ctx context.Context, p pause) {
	i.mu.Lock()
	released := i.released
	i.mu.Unlock()
	over := make(chan struct{})
	done := func() { close(over) }
	if p.rule.RealTime {
		timer := time.AfterFunc(p.wait, done)
		defer timer.Stop()
	} else {
		cancel := i.clock.At(i.clock.Now().Add(p.wait), done)
		defer cancel()
	}
	p.rule.waiting.Add(1) // once the end is sure to come: who sees it waiting may move the clock
	defer p.rule.waiting.Add(-1)
	select {
	case <-over:
	case <-ctx.Done():
	case <-released:
	}
}

// Release has all requests that wait go on, and none wait until the function that it returns is called: for what cannot
// begin before the requests under way have ended.
func (i *Injector) Release() (resume func()) {
	if i == nil {
		return func() {}
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.holds++; i.holds == 1 {
		close(i.released)
	}
	return func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		if i.holds--; i.holds == 0 {
			i.released = make(chan struct{})
		}
	}
}
