package builtin

import (
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// The aggregate functions of arrays are for numbers; MAX and MIN are for all types but arrays and objects. They ignore
// undefined elements.
var arrayAggregates = []Function{
	{"ARRAY_AVG", 1, 1, ofNumbers(mean)},
	{"ARRAY_MAX", 1, 1, extremeElement(1)},
	{"ARRAY_MEDIAN", 1, 1, ofNumbers(median)},
	{"ARRAY_MIN", 1, 1, extremeElement(-1)},
	{"ARRAY_SUM", 1, 1, ofNumbers(func(n []float64) doc.Value { return doc.Number(sum(n)) })},
}

func ofNumbers(f func([]float64) doc.Value) call {
	return array1(func(v doc.Value) doc.Value {
		var numbers []float64
		for _, e := range v.Elements() {
			switch e.Kind() {
			case doc.Undefined:
			case doc.Numeric:
				numbers = append(numbers, e.Float())
			default:
				return undefined
			}
		}
		return f(numbers)
	})
}

func sum(numbers []float64) float64 {
	total := 0.0
	for _, n := range numbers {
		total += n
	}
	return total
}

func mean(numbers []float64) doc.Value {
	if len(numbers) == 0 {
		return undefined
	}
	return doc.Number(sum(numbers) / float64(len(numbers)))
}

func median(numbers []float64) doc.Value {
	n := len(numbers)
	if n == 0 {
		return undefined
	}
	slices.Sort(numbers)
	if n%2 == 1 {
		return doc.Number(numbers[n/2])
	}
	return doc.Number((numbers[n/2-1] + numbers[n/2]) / 2)
}

// extremeElement returns the largest (1) or smallest (-1) element in the order of types and values.
func extremeElement(way int) call {
	return func(env *Env, args []doc.Value) doc.Value {
		if args[0].Kind() != doc.List || !env.weigh(args) {
			return undefined
		}
		best := undefined
		for _, e := range args[0].Elements() {
			switch {
			case e.Kind() == doc.List || e.Kind() == doc.Map:
				return undefined
			case e.Defined() && (!best.Defined() || doc.Compare(e, best)*way > 0):
				best = e
			}
		}
		return best
	}
}

func sortedMembers(v doc.Value) []doc.Member {
	members := slices.Clone(v.Members())
	slices.SortFunc(members, func(a, b doc.Member) int { return strings.Compare(a.Name, b.Name) })
	return members
}
