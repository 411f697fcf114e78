package faults

import (
	"context"
	"time"
)

// Verdict is what the rules do to a request. The zero value does nothing.
type Verdict struct {
	// Refuse is Throttle, InternalError, Unavailable or CutBeforeCommit for a request that must not run; otherwise
	// empty.
	Refuse Action
	Stale  bool   // an eventually consistent read returns an old state
	Lose   bool   // the answer is lost
	Undone []bool // by touch: unprocessed members of a batch; nil: none
	Before Pauses // waits before the request starts
	Inside Pauses // waits while the request's items are in use
}

// Pauses are the waits of a request.
type Pauses []pause

type pause struct {
	rule *live
	wait time.Duration
}

// Judge applies the rules to a request.
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

// add adds the effect of a rule to the verdict.
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

// Wait waits for all pauses, one after the other, until ctx is done or Release ends the waiting. Time is the
// emulator's, which passes on a stopped clock only when that is moved; or the machine's, for rules with RealTime.
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
	p.rule.waiting.Add(1) // after the timer is set: whoever sees it waiting may move the clock
	defer p.rule.waiting.Add(-1)
	select {
	case <-over:
	case <-ctx.Done():
	case <-released:
	}
}

// Release ends the wait of all requests and lets none wait until the returned function is called. It is for work that
// cannot begin before the requests in progress have ended.
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
