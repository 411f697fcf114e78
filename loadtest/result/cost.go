package result

import (
	"github.com/tabletop-db/tabletop/internal/model/cost"
)

// Cost is the cost of a run's capacity units on demand, in dollars, at the prices that are built into Tabletop. It
// excludes storage, because a run does not know how long the tables keep their data.
type Cost struct {
	Region string      `json:"region"`
	Prices string      `json:"prices"` // the date of the prices
	Run    cost.Amount `json:"run"`
	Month  cost.Amount `json:"month"`            // at the run's rate, around the clock
	Stated string      `json:"stated,omitempty"` // the cost that the profile's document states; empty: no document
}

// DocumentCost is the monthly cost that a document states, beside the measured one. Amounts are in dollars.
type DocumentCost struct {
	ID       string       `json:"id"` // catalogue entry
	Says     string       `json:"says"`
	Stated   *cost.Amount `json:"stated,omitempty"`
	Computed cost.Amount  `json:"computed"`         // the document's quantities at the document's prices
	Measured cost.Amount  `json:"measured"`         // the run's quantities, scaled to a month, at the document's prices
	Today    cost.Amount  `json:"today"`            // the same quantities at today's prices
	Agrees   bool         `json:"agrees"`           // stated and measured differ by at most 10%
	Remark   string       `json:"remark,omitempty"` // why they differ
	Lines    []MonthLine  `json:"lines"`
}

// MonthLine is one quantity in the monthly cost.
type MonthLine struct {
	What     string      `json:"what"`
	Document cost.Amount `json:"document"` // the document's assumption
	Measured cost.Amount `json:"measured"`
	Unit     string      `json:"unit"`
}
