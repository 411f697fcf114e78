package builtin

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// Env is what functions know of the query that calls them. One Env belongs to one run of the query.
type Env struct {
	Now    time.Time     // of the query: every row sees the same time
	Random func() uint64 // for RAND, which is undefined without it
	Planar bool          // the container's geospatial type is Geometry; Geography is the default

	// Embedding is what VECTORDISTANCE without options goes by: an object with distanceFunction (cosine by default) and
	// dataType (float32). The language passes an embedding of the container's policy as the options of a call instead
	// where the policy has it for the path.
	Embedding doc.Value
	// Budget is what the query may still use; nil is no bound. A function that it ends answers undefined, and the query
	// ends.
	Budget   *budget.Budget
	Language string // of texts, of the container's full text policy, such as "fr-FR"; English by default

	lastPattern string // of REGEXMATCH
	compiled    *compiledPattern
}

// Function is a system function.
type Function struct {
	Name string // as the documentation writes it, in capitals
	Min  int    // the least count of arguments
	Max  int    // the largest; -1: any
	Call func(env *Env, args []doc.Value) doc.Value
}

// Lookup finds a system function by its name, in which case does not matter.
func Lookup(name string) (*Function, bool) {
	f, ok := functions[strings.ToUpper(name)]
	return f, ok
}

// Names are the names of all system functions, sorted.
func Names() []string { return slices.Sorted(maps.Keys(functions)) }

var functions = index(
	arrayFunctions, setFunctions, arrayAggregates, conditionalFunctions, dateFunctions, dateArithmetic, clockFunctions,
	integerFunctions, itemFunctions, mathFunctions, trigonometry, searchFunctions, stringFunctions, substringFunctions,
	trimFunctions, splitFunctions, conversions, typeChecks, spatialFunctions, vectorFunctions,
	fullTextFunctions,
)

func index(groups ...[]Function) map[string]*Function {
	all := map[string]*Function{}
	for _, group := range groups {
		for i := range group {
			all[group[i].Name] = &group[i]
		}
	}
	return all
}
