package cosmos

import (
	"cmp"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// ranks returns the ranks of scores, from 1. Equal scores have equal ranks.
func ranks(scores []float64, descending bool) []int {
	distinct := slices.Clone(scores)
	slices.Sort(distinct)
	distinct = slices.Compact(distinct)
	if descending {
		slices.Reverse(distinct)
	}
	places := make([]int, len(scores))
	for i, s := range scores {
		places[i] = slices.Index(distinct, s) + 1
	}
	return places
}

// byScore returns the payloads of rows in descending order of their scores.
func byScore(rows []doc.Value, scores []float64) []doc.Value {
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	payloads := make([]doc.Value, len(rows))
	for place, i := range order {
		payloads[place] = rows[i].Field("payload").Field("payload")
	}
	return payloads
}
