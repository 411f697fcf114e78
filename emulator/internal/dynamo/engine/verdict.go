package engine

import "github.com/tabletop-db/tabletop/emulator/internal/faults"

// PauseInside waits as the fault rules require while the request's items are in use. It waits once, even if the request
// is retried.
func (a *Request) PauseInside() {
	if a == nil || a.Verdict == nil {
		return
	}
	inside := a.Verdict.Inside
	a.Verdict.Inside = nil
	a.Pause(inside)
}

// Pause waits as a fault rule requires. Other long requests can run in the meantime.
func (a *Request) Pause(pauses faults.Pauses) {
	if len(pauses) > 0 {
		a.Work.EndTurn()
		a.Engine.Faults.Wait(a.Context, pauses)
	}
}

// Unprocessed reports which members of a batch, in the order of its resource references, fault rules leave unprocessed;
// nil for none.
func (a *Request) Unprocessed() []bool {
	if a.Verdict == nil {
		return nil
	}
	return a.Verdict.Undone
}

// DropsResponse reports whether a fault rule drops the answer.
func (a *Request) DropsResponse() bool { return a.Verdict != nil && a.Verdict.Lose }
