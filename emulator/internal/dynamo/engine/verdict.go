package engine

import "github.com/tabletop-db/tabletop/emulator/internal/faults"

// Hold waits as the rules say, while the request's items are in use. It waits once, however often the request is run.
func (a *Request) Hold() {
	if a == nil || a.Verdict == nil {
		return
	}
	inside := a.Verdict.Inside
	a.Verdict.Inside = nil
	a.Wait(inside)
}

// Wait waits for what a rule says. Other long requests work meanwhile.
func (a *Request) Wait(pauses faults.Pauses) {
	if len(pauses) > 0 {
		a.Work.EndTurn()
		a.Engine.Faults.Wait(a.Context, pauses)
	}
}

// Unprocessed are the members of a batch, in the order of its touches, that are to come back; nil for none.
func (a *Request) Unprocessed() []bool {
	if a.Verdict == nil {
		return nil
	}
	return a.Verdict.Undone
}

// LosesAnswer says whether the answer is to be lost.
func (a *Request) LosesAnswer() bool { return a.Verdict != nil && a.Verdict.Lose }
