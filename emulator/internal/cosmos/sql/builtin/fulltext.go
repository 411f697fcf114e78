package builtin

import (
	"math"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// The functions with an underscore are those of the queries that a query plan for hybrid search has an SDK send.
var fullTextFunctions = []Function{
	{"FULLTEXTCONTAINS", 2, 2, fullTextContains(true)},
	{"FULLTEXTCONTAINSALL", 2, -1, fullTextContains(true)},
	{"FULLTEXTCONTAINSANY", 2, -1, fullTextContains(false)},
	{"FULLTEXTSCORE", 2, -1, fullTextScore},
	{"RRF", 2, -1, func(*Env, []doc.Value) doc.Value { return undefined }}, // of ranks, see Fuse
	{"_FULLTEXTSCORE", 5, 5, scoreWithStatistics},
	{"_FULLTEXTWORDCOUNT", 1, 1, wordCount},
}

// fullTextContains looks for every term, or for any of them.
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

// fullTextScore is FULLTEXTSCORE where nothing is known of the other items: as if this were the only one.
func fullTextScore(env *Env, args []doc.Value) doc.Value {
	terms, ok := termsOf(env, args[1:])
	if !ok || args[0].Kind() != doc.Text {
		return undefined
	}
	words := float64(len(analyze(env, args[0].Str())))
	return doc.Number(bm25(env, args[0].Str(), terms, 1, words, make([]float64, len(terms))))
}

// scoreWithStatistics is _FULLTEXTSCORE(text, [terms], count of items, count of words in all of them, [items with each
// term]).
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

// The constants of BM25: usual ones, for the service's are not published.
const (
	saturation = 1.2  // k1: how soon more of a term counts no more
	lengthwise = 0.75 // b: how much a text's length counts
)

// bm25 is the sum over terms of their rarity times their saturated frequency ("Okapi BM25").
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
		score += rarity * frequency * (saturation + 1) / (frequency + saturation*(1-lengthwise+lengthwise*length))
	}
	return score
}

// fusion is the constant of reciprocal rank fusion, as the SDKs have it.
const fusion = 60

// Fuse is the score of reciprocal rank fusion of an item's ranks, each from 1, by the weights of their components; nil
// weights are 1 each. A negative weight counts as much as a positive one: it has turned the order of the ranks round.
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
