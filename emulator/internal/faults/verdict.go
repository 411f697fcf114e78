package faults

import (
	"context"
	"time"
)

// Effect is the combined effect of the rules on a request. The zero value does nothing.
type Effect struct {
	// Refuse is Throttle, InternalError, Unavailable, CutBeforeCommit, Conflict or ExpiredToken for a request that must
	// not run; otherwise empty.
	Refuse       Action
	Stale        bool   // an eventually consistent read returns an old state
	LoseResponse bool   // the response is lost
	Restart      bool   // the response is lost, and Injector.Restart is called
	ShortPage    bool   // the page ends after one item
	Redeliver    bool   // the token for the next records is that of these records
	Unprocessed  []bool // by touch: unprocessed members of a batch; nil: none
	ClockJump    bool   // the clock moves before the request starts, by what Before says
	Before       Delays // waits before the request starts
	Holding      Delays // waits while the request's items are in use
}

// Delays are the waits of a request.
type Delays []delay

type delay struct {
	rule *activeRule
	wait time.Duration
}

// Apply applies the rules to a request.
func (i *Injector) Apply(s *Request) Effect {
	var v Effect
	now := i.clock.Now()
	for _, l := range i.all() {
		if !l.matches(s) {
			continue
		}
		wait, hit := l.trigger(now)
		if !hit {
			continue
		}
		v.add(l, wait, s)
		if l.refuses() {
			break
		}
	}
	if i.watch != nil {
		i.watch(s, &v)
	}
	return v
}

// Actions returns what the rules do to the request, besides waits.
func (v *Effect) Actions() []Action {
	var all []Action
	for _, a := range []struct {
		action Action
		done   bool
	}{{Stale, v.Stale}, {Restart, v.Restart}, {CutAfterCommit, v.LoseResponse && !v.Restart},
		{ShortPage, v.ShortPage}, {Redeliver, v.Redeliver},
		{Unprocessed, v.Unprocessed != nil}, {ClockJump, v.ClockJump}, {v.Refuse, v.Refuse != ""}} {
		if a.done {
			all = append(all, a.action)
		}
	}
	return all
}

// add adds the effect of a rule to the verdict.
func (v *Effect) add(l *activeRule, wait time.Duration, s *Request) {
	if wait > 0 && l.Do == Hold {
		v.Holding = append(v.Holding, delay{l, wait})
	} else if wait > 0 {
		v.Before = append(v.Before, delay{l, wait})
	}
	switch l.Do {
	case Stale:
		v.Stale = true
	case CutAfterCommit:
		v.LoseResponse = true
	case Restart:
		v.LoseResponse, v.Restart = true, true
	case ShortPage:
		v.ShortPage = true
	case Redeliver:
		v.Redeliver = true
	case ClockJump:
		v.ClockJump = true
	case Unprocessed:
		v.Unprocessed = l.markUnprocessed(v.Unprocessed, s.Resources)
	}
	if l.refuses() {
		v.Refuse = l.Do
	}
}

// Wait waits for all pauses, one after the other, until ctx is done or Release ends the waiting. Time is the
// emulator's, which passes on a stopped clock only when that is moved; or the machine's, for rules with RealTime. For
// rules of ClockJump it moves the clock instead, and everything that is due by then happens before it returns.
func (i *Injector) Wait(ctx context.Context, delays Delays) {
	for _, p := range delays {
		i.wait(ctx, p)
	}
}

func (i *Injector) wait(ctx context.Context, p delay) {
	if p.rule.Do == ClockJump {
		_ = i.clock.AdvanceContext(ctx, p.wait) // fails only if the request ends first, or after 292 years in all
		return
	}
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
	p.rule.waiting.Add(1) // after the timer is set: a test that sees it waiting may move the clock
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
	if i.releases++; i.releases == 1 {
		close(i.released)
	}
	return func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		if i.releases--; i.releases == 0 {
			i.released = make(chan struct{})
		}
	}
}
