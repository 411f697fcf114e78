package builtin

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"

// bytesPerStep is how many bytes of text count as one step of a query's budget.
const bytesPerStep = 16

// step counts n steps of work and reports whether the function may continue.
func (e *Env) step(n int) bool { return e.Budget.Step(n) == nil }

// grow counts n bytes of memory and reports whether the function may allocate them.
func (e *Env) grow(n int) bool { return e.Budget.Grow(n) == nil }

// The sizes of values in memory, in bytes.
const (
	valueBytes  = 80
	memberBytes = 96
)

// MaxWeight is the limit up to which Weight counts: several times the parts of the largest document. A value with a
// greater weight shares parts, as [x, x] does at each level of nested subqueries; no function reads all of one.
const MaxWeight = 1 << 22

// Weight returns the number of steps to read a whole value: one for each part and one for each 16 bytes of text or of a
// name.
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
		steps = rest(v.Members()[i].Value, steps-len(v.Members()[i].Name)/bytesPerStep)
	}
	return max(0, steps)
}

// weigh counts reading all arguments and reports whether the function may continue: it may not if one is too large.
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
