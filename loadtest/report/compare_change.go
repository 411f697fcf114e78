package report

import (
	"fmt"

	"github.com/tabletop-db/tabletop/loadtest/result"
)

// Meaning is what a change means.
type Meaning string

// The meanings.
const (
	Better  Meaning = "better"
	Worse   Meaning = "worse"
	Same    Meaning = "same"    // there is no change
	Neutral Meaning = "neutral" // neither better nor worse, such as the stored bytes
)

// Change is the change of a figure from one run to another.
type Change struct {
	Text    string  `json:"text"` // such as +12.5% or PASS to FAIL; empty if Meaning is Same
	Meaning Meaning `json:"meaning"`
}

// numberChange returns the change of a number. better is 1 if a higher value is better, -1 if a lower one is, or 0.
func numberChange(from, to float64, better int) *Change {
	c := &Change{Text: "+" + figure(to), Meaning: Neutral}
	if from != 0 {
		c.Text = fmt.Sprintf("%+.1f%%", 100*(to-from)/from)
	}
	switch rises := to > from; {
	case to == from:
		return &Change{Meaning: Same}
	case better != 0 && rises == (better > 0):
		c.Meaning = Better
	case better != 0:
		c.Meaning = Worse
	}
	return c
}

// stateChange returns the change of a verdict, or nil unless both runs passed or failed its limit.
func stateChange(cells []Cell) *Change {
	if len(cells) != 2 || !decided(cells[0]) || !decided(cells[1]) {
		return nil
	}
	c := &Change{Text: cells[0].State.Label() + " to " + cells[1].State.Label(), Meaning: Worse}
	switch {
	case cells[0].State == cells[1].State:
		return &Change{Meaning: Same}
	case cells[1].State == result.Pass:
		c.Meaning = Better
	}
	return c
}

// decided reports whether a limit was measured.
func decided(c Cell) bool { return c.State == result.Pass || c.State == result.Fail }
