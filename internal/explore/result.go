package explore

import (
	"fmt"
	"slices"
)

// Result is what a search found.
type Result struct {
	Seed        uint64     `json:"seed"`
	Runs        int        `json:"runs"`
	Undisturbed *Outcome   `json:"undisturbed"`
	Findings    []*Finding `json:"findings"`
	Flaky       []*Finding `json:"flaky"` // plans that failed once and then passed, or failed without mishaps too

	cells map[cell]Verdict
	order []cell // of cells
}

// cell is a combination of target and kind.
type cell struct {
	Target
	kind Kind
}

// Verdict is what is known of a kind of mishap at a target.
type Verdict string

// The verdicts.
const (
	Survived   Verdict = "survived"
	Failed     Verdict = "failed"
	NotReached Verdict = "not reached" // the program did not send the request in the runs that would have disturbed it
)

func newResult(seed uint64) *Result { return &Result{Seed: seed, cells: map[cell]Verdict{}} }

// note records what a run shows about each of its mishaps.
func (r *Result) note(p Plan, o *Outcome) {
	for _, m := range p {
		c := cell{m.Target, m.Do}
		before, known := r.cells[c]
		if !known {
			r.order = append(r.order, c)
			r.cells[c] = NotReached
		}
		if o.Passed && o.hit(m) && before != Failed {
			r.cells[c] = Survived
		}
	}
}

// hasHits reports whether a mishap happened in any run.
func (r *Result) hasHits() bool {
	for _, v := range r.cells {
		if v != NotReached {
			return true
		}
	}
	return len(r.Flaky) > 0
}

// failed records a finding.
func (r *Result) failed(p Plan) {
	for _, m := range p {
		r.cells[cell{m.Target, m.Do}] = Failed
	}
}

// explains reports whether a finding's mishaps all happen in a plan, which then says nothing new. A restart loses a
// response too.
func (r *Result) explains(p Plan) bool {
	milder := p.withLostResponses()
	restarts := !slices.Equal(p, milder)
	return slices.ContainsFunc(r.Findings, func(f *Finding) bool {
		return f.explains(p, len(p) > 1) || restarts && f.explains(milder, true)
	})
}

// sameKind returns the finding that does the same to another request of the same target.
func (r *Result) sameKind(p Plan) *Finding {
	if len(p) != 1 {
		return nil
	}
	for _, f := range r.Findings {
		if len(f.Plan) == 1 && p[0].like(f.Plan[0]) {
			return f
		}
	}
	return nil
}

// Summary describes in one line what is known.
func (r *Result) Summary() string {
	counts := map[Verdict]int{}
	for _, v := range r.cells {
		counts[v]++
	}
	text := fmt.Sprintf("operations × mishaps: %d survived, %d failed, %d not reached", counts[Survived], counts[Failed],
		counts[NotReached])
	if n := len(r.Flaky); n > 0 {
		text += fmt.Sprintf("; not repeatable: %d", n)
	}
	return text
}
