package engine

import "github.com/tabletop-db/tabletop/emulator/internal/faults"

// PauseInside waits as the fault rules require while the request's items are in use. It waits once, even if the request
// is retried.
func (r *Request) PauseInside() {
	if r == nil || r.Verdict == nil {
		return
	}
	inside := r.Verdict.Holding
	r.Verdict.Holding = nil
	r.Pause(inside)
}

// Pause waits as a fault rule requires. Other long requests can run in the meantime.
func (r *Request) Pause(pauses faults.Delays) {
	if len(pauses) > 0 {
		r.Work.EndTurn()
		r.Engine.Faults.Wait(r.Context, pauses)
	}
}

// Unprocessed reports which members of a batch, in the order of its resource references, fault rules leave unprocessed;
// nil for none.
func (r *Request) Unprocessed() []bool {
	if r.Verdict == nil {
		return nil
	}
	return r.Verdict.Unprocessed
}

// DropsResponse reports whether a fault rule drops the response.
func (r *Request) DropsResponse() bool { return r.Verdict != nil && r.Verdict.LoseResponse }
