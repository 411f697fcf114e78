package data

import (
	"bytes"
	"math"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
)

// nearest collects the entries of a vector index that are most similar to a vector. Among entries with the same score,
// the first ones win.
type nearest struct {
	index  *engine.VectorIndex
	target []float32
	most   int // entries
	found  []neighbour
	buffer []float32
}

// neighbour is an entry with its score.
type neighbour struct {
	entry item.Value
	score float32
}

// add adds an entry if it is among the nearest. It does not retain the entry's memory.
func (n *nearest) add(entry item.Value) {
	n.buffer = n.index.Unpack(n.buffer[:0], entry)
	score := distances[n.index.Distance](n.target, n.buffer)
	at, _ := slices.BinarySearchFunc(n.found, score, func(e neighbour, score float32) int {
		if n.nearer(score, e.score) {
			return 1
		}
		return -1
	})
	if at == n.most {
		return
	}
	if len(n.found) == n.most {
		n.found = n.found[:n.most-1]
	}
	n.found = slices.Insert(n.found, at, neighbour{bytes.Clone(entry), score})
}

// nearer reports whether score a is more similar than score b: the higher dot product, otherwise the lower distance.
func (n *nearest) nearer(a, b float32) bool {
	if n.index.Distance == "DOT_PRODUCT" {
		return a > b
	}
	return a < b
}

// distances are the distance functions, computed in double precision.
var distances = map[string]func(a, b []float32) float32{
	"COSINE": func(a, b []float32) float32 {
		product := math.Sqrt(dot(a, a) * dot(b, b))
		if product == 0 {
			return 1 // for a vector of length zero (nubo-db/dynoxide, 2026)
		}
		return float32(min(max(1-dot(a, b)/product, 0), 2))
	},
	"EUCLIDEAN": func(a, b []float32) float32 {
		sum := 0.0
		for i := range a {
			d := float64(a[i]) - float64(b[i])
			sum += d * d
		}
		return finite(math.Sqrt(sum))
	},
	"DOT_PRODUCT": func(a, b []float32) float32 { return finite(dot(a, b)) },
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// finite returns a number in single precision, the nearest finite one if it is out of range: JSON has no infinity.
func finite(f float64) float32 { return float32(min(max(f, -math.MaxFloat32), math.MaxFloat32)) }
