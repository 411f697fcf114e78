package builtin

import (
	"math"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

var vectorFunctions = []Function{{"VECTORDISTANCE", 2, 4, vectorDistance}}

// vectorDistance is VECTORDISTANCE of two vectors of the same length, a flag to bypass the index, and options.
func vectorDistance(env *Env, args []doc.Value) doc.Value {
	options := env.Embedding
	if len(args) == 4 {
		options = args[3]
	}
	if _, ok := flag(args, 2); !ok || options.Defined() && options.Kind() != doc.Map {
		return undefined
	}
	a, first := vector(args[0], options.Field("dataType"))
	b, second := vector(args[1], options.Field("dataType"))
	if !first || !second || len(a) != len(b) || len(a) == 0 {
		return undefined
	}
	switch distanceFunction(options) {
	case "cosine":
		return cosine(a, b)
	case "dotproduct":
		return doc.Number(dot(a, b))
	case "euclidean":
		return doc.Number(euclidean(a, b))
	}
	return undefined
}

// distanceFunction returns the name in lower case: SDKs use different cases (precomputed_pure_vector_search of
// azure_data_cosmos).
func distanceFunction(options doc.Value) string {
	if name := options.Field("distanceFunction"); name.Defined() {
		return strings.ToLower(name.Str())
	}
	return "cosine"
}

// NearestFirst reports whether ORDER BY VECTORDISTANCE with these options sorts by ascending distance, as for
// euclidean; otherwise it sorts by descending similarity. Undefined options mean cosine.
func NearestFirst(options doc.Value) bool { return distanceFunction(options) == "euclidean" }

// vector converts an array of numbers to the precision of their type, by default float32.
func vector(v, dataType doc.Value) ([]float64, bool) {
	round := precision(dataType)
	if round == nil || v.Kind() != doc.List {
		return nil, false
	}
	out := make([]float64, v.Len())
	for i, e := range v.Elements() {
		n, ok := round(e.Float())
		if !ok || e.Kind() != doc.Numeric {
			return nil, false
		}
		out[i] = n
	}
	return out, true
}

func precision(dataType doc.Value) func(float64) (float64, bool) {
	switch name := strings.ToLower(dataType.Str()); {
	case !dataType.Defined(), name == "float32":
		return func(n float64) (float64, bool) { return float64(float32(n)), true }
	case name == "float16":
		return func(n float64) (float64, bool) { return roundToHalf(n), true }
	case name == "int8":
		return func(n float64) (float64, bool) {
			return n, n == math.Trunc(n) && n >= math.MinInt8 && n <= math.MaxInt8
		}
	case name == "uint8":
		return func(n float64) (float64, bool) { return n, n == math.Trunc(n) && n >= 0 && n <= math.MaxUint8 }
	}
	return nil
}

// roundToHalf rounds to the eleven significant bits of IEEE 754 binary16. Numbers out of range become infinite.
func roundToHalf(n float64) float64 {
	const largest, smallestExponent = 65504, -13
	fraction, exponent := math.Frexp(n)
	bits := 11 + min(0, exponent-smallestExponent)
	rounded := math.Ldexp(math.RoundToEven(math.Ldexp(fraction, bits)), exponent-bits)
	if math.Abs(rounded) > largest {
		return math.Inf(int(math.Copysign(1, n)))
	}
	return rounded
}

func dot(a, b []float64) float64 {
	total := 0.0
	for i := range a {
		total += a[i] * b[i]
	}
	return total
}

// cosine is undefined if a vector has length 0.
func cosine(a, b []float64) doc.Value {
	lengths := math.Sqrt(dot(a, a) * dot(b, b))
	if lengths == 0 {
		return undefined
	}
	return doc.Number(max(-1, min(1, dot(a, b)/lengths)))
}

func euclidean(a, b []float64) float64 {
	total := 0.0
	for i := range a {
		total += (a[i] - b[i]) * (a[i] - b[i])
	}
	return math.Sqrt(total)
}
