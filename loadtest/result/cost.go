package result

import (
	"github.com/tabletop-db/tabletop/internal/cost"
)

// Cost is what the capacity units of a run cost on demand, in dollars, by the prices that come with Tabletop. What the
// tables store is not in it: a run does not know how long they keep it.
type Cost struct {
	Region string      `json:"region"`
	Prices string      `json:"prices"` // the day of the prices
	Run    cost.Amount `json:"run"`
	Month  cost.Amount `json:"month"`            // at the rate of the run, day and night
	Stated string      `json:"stated,omitempty"` // what the profile's document says; empty: there is none
}

// DocumentCost is what a document says that a month costs, beside what was measured. Amounts are dollars.
type DocumentCost struct {
	ID       string       `json:"id"` // of the catalogue
	Says     string       `json:"says"`
	Stated   *cost.Amount `json:"stated,omitempty"`
	Computed cost.Amount  `json:"computed"`         // the document's own prices of its own quantities
	Measured cost.Amount  `json:"measured"`         // the document's prices of the quantities of this run, as often as it takes a month to have them
	Today    cost.Amount  `json:"today"`            // today's prices of the same
	Agrees   bool         `json:"agrees"`           // stated and measured lie within a tenth
	Remark   string       `json:"remark,omitempty"` // why not
	Lines    []MonthLine  `json:"lines"`
}

// MonthLine is one quantity of a month.
type MonthLine struct {
	What     string      `json:"what"`
	Document cost.Amount `json:"document"` // as the document takes it
	Measured cost.Amount `json:"measured"`
	Unit     string      `json:"unit"`
}
