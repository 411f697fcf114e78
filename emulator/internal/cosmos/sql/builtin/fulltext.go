package builtin

import (
	"math"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// The functions with an underscore occur in the queries of hybrid search plans, which SDKs send.
var fullTextFunctions = []Function{
	{"FULLTEXTCONTAINS", 2, 2, fullTextContains(true)},
	{"FULLTEXTCONTAINSALL", 2, -1, fullTextContains(true)},
	{"FULLTEXTCONTAINSANY", 2, -1, fullTextContains(false)},
	{"FULLTEXTSCORE", 2, -1, fullTextScore},
	{"RRF", 2, -1, func(*Env, []doc.Value) doc.Value { return undefined }}, // see Fuse
	{"_FULLTEXTSCORE", 5, 5, scoreWithStatistics},
	{"_FULLTEXTWORDCOUNT", 1, 1, wordCount},
}

// fullTextContains searches for all terms, or for any of them.
func fullTextContains(every bool) call {
	return func(env *Env, args []doc.Value) doc.Value {
		terms, ok := termsOf(env, args[1:])
		if !ok || args[0].Kind() != doc.Text {
			return undefined
		}
		text := analyze(env, args[0].Str())
		for _, t := range terms {
			if (t.count(env, text) > 0) != every {
				return doc.Bool(!every)
			}
		}
		return doc.Bool(every)
	}
}

func wordCount(env *Env, args []doc.Value) doc.Value {
	if args[0].Kind() != doc.Text {
		return undefined
	}
	return doc.Number(float64(len(analyze(env, args[0].Str()))))
}

// fullTextScore is FULLTEXTSCORE without statistics of other items: it scores as if this were the only item.
func fullTextScore(env *Env, args []doc.Value) doc.Value {
	terms, ok := termsOf(env, args[1:])
	if !ok || args[0].Kind() != doc.Text {
		return undefined
	}
	words := float64(len(analyze(env, args[0].Str())))
	return doc.Number(bm25(env, args[0].Str(), terms, 1, words, make([]float64, len(terms))))
}

// scoreWithStatistics is _FULLTEXTSCORE(text, [terms], number of items, number of words in all items, [number of items
// with each term]).
func scoreWithStatistics(env *Env, args []doc.Value) doc.Value {
	terms, ok := termsOf(env, args[1].Elements())
	if !ok || args[0].Kind() != doc.Text || !all(doc.Numeric, args[2:4]...) || args[4].Len() != len(terms) {
		return undefined
	}
	hits := make([]float64, len(terms))
	for i, n := range args[4].Elements() {
		hits[i] = n.Float()
	}
	return doc.Number(bm25(env, args[0].Str(), terms, args[2].Float(), args[3].Float(), hits))
}

// The constants of BM25: common values, because the service's are not published.
const (
	saturation          = 1.2  // k1: how quickly the effect of repeated terms saturates
	lengthNormalization = 0.75 // b: how much the length of a text matters
)

// bm25 returns the sum over all terms of their inverse document frequency times their saturated frequency ("Okapi
// BM25").
func bm25(env *Env, text string, terms []term, items, words float64, hits []float64) float64 {
	analyzed := analyze(env, text)
	score := 0.0
	for i, t := range terms {
		frequency := float64(t.count(env, analyzed))
		if frequency == 0 {
			continue
		}
		rarity := math.Log(1 + max(0, items-hits[i]+0.5)/(hits[i]+0.5))
		length := float64(len(analyzed)) / max(1, words/max(1, items))
		score += rarity * frequency * (saturation + 1) / (frequency + saturation*(1-lengthNormalization+
			lengthNormalization*length))
	}
	return score
}

// fusion is the constant of reciprocal rank fusion, as in the SDKs.
const fusion = 60

// Fuse returns the score of reciprocal rank fusion for an item's ranks, which start at 1, and the weights of the
// components; nil weights are all 1. The sign of a weight is ignored, because it has already reversed the ranks.
func Fuse(ranks []int, weights []float64) float64 {
	score := 0.0
	for i, rank := range ranks {
		weight := 1.0
		if weights != nil {
			weight = math.Abs(weights[i])
		}
		score += weight / float64(fusion+rank)
	}
	return score
}
