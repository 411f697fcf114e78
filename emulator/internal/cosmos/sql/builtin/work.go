package builtin

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"

// bytesPerStep is how many bytes of text count as one step of a query's budget.
const bytesPerStep = 16

// step counts n units of work, and reports whether there may be more.
func (e *Env) step(n int) bool { return e.Budget.Step(n) == nil }

// grow counts n bytes that a function is about to hold, and reports whether it may.
func (e *Env) grow(n int) bool { return e.Budget.Grow(n) == nil }

// The sizes in bytes of what values are made of.
const (
	valueBytes  = 80
	memberBytes = 96
)

// MaxWeight is how far Weight walks: some times the parts of the largest document. Values of a greater weight share
// parts, as [x, x] does at each level of nested subqueries; no function looks at all of one.
const MaxWeight = 1 << 22

// Weight is how many steps it takes to look at all of a value: one for each part of it and for each 16 bytes of text.
func Weight(v doc.Value) int { return MaxWeight - rest(v, MaxWeight) }

func rest(v doc.Value, steps int) int {
	steps -= 1 + len(v.Str())/bytesPerStep
	for _, e := range v.Elements() {
		if steps <= 0 {
			return 0
		}
		steps = rest(e, steps)
	}
	for i := range v.Members() {
		if steps <= 0 {
			return 0
		}
		steps = rest(v.Members()[i].Value, steps)
	}
	return max(0, steps)
}

// weigh counts looking at all arguments, and reports whether the function may go on: not with one that is too large.
func (e *Env) weigh(args []doc.Value) bool {
	n := 1
	for _, a := range args {
		w := Weight(a)
		if w >= MaxWeight {
			return false
		}
		n += w
	}
	return e.step(n)
}

// product multiplies weights without overflow.
func product(a, b int) int { return int(min(int64(a)*int64(b), 1<<40)) }
