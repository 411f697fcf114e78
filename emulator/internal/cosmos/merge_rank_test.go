package cosmos

import (
	"cmp"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// ranks are the places of scores, from 1; the same for the same score.
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

// byScore are the payloads of rows, the highest score first.
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
