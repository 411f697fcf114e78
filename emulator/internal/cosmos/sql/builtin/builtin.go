package builtin

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// Env is the environment of the functions of a query. Each run of a query has its own Env.
type Env struct {
	Now    time.Time     // the time of the query, the same for every row
	Random func() uint64 // for RAND, which is undefined if Random is nil
	Planar bool          // the container's geospatial type is Geometry; the default is Geography

	// Embedding is the default for the options of VECTORDISTANCE: an object with distanceFunction (default: cosine) and
	// dataType (default: float32). If the container's policy has an embedding for the path, package sql passes that as
	// the options instead.
	Embedding doc.Value
	// Budget limits the query; nil: no limit. A function that exceeds it returns undefined, and the query fails.
	Budget   *budget.Budget
	Language string // of texts, from the container's full-text policy, such as "fr-FR"; default: English

	lastPattern string // of REGEXMATCH
	compiled    *compiledPattern
}

// Function is a system function.
type Function struct {
	Name string // as in the documentation, in upper case
	Min  int    // minimum number of arguments
	Max  int    // maximum number of arguments; -1: no limit
	Call func(env *Env, args []doc.Value) doc.Value
}

// Lookup returns the system function with a name, in any case.
func Lookup(name string) (*Function, bool) {
	f, ok := functions[strings.ToUpper(name)]
	return f, ok
}

// Names returns the names of all system functions, sorted.
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
