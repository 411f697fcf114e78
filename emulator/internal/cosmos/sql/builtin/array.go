package builtin

import (
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// maxElements is the maximum number of elements of an array that a function creates, more than fit into a document.
// Beyond it the result is undefined; the service documents no limit.
const maxElements = 2 << 20

var arrayFunctions = []Function{
	{"ARRAY_CONCAT", 2, -1, arrayConcat},
	{"ARRAY_CONTAINS", 2, 3, arrayContains},
	{"ARRAY_CONTAINS_ALL", 2, -1, containsEveryOrSome(false)},
	{"ARRAY_CONTAINS_ANY", 2, -1, containsEveryOrSome(true)},
	{"ARRAY_LENGTH", 1, 1, array1(func(v doc.Value) doc.Value { return doc.Number(float64(v.Len())) })},
	{"ARRAY_SLICE", 2, 3, arraySlice},
	{"OBJECTTOARRAY", 1, 3, objectToArray},
}

// array1 returns a function of one array.
func array1(f func(doc.Value) doc.Value) call {
	return func(_ *Env, args []doc.Value) doc.Value {
		if args[0].Kind() != doc.List {
			return undefined
		}
		return f(args[0])
	}
}

func arrayConcat(env *Env, args []doc.Value) doc.Value {
	if !all(doc.List, args...) {
		return undefined
	}
	size := 0
	for _, a := range args {
		size += a.Len()
	}
	if size > maxElements || !env.step(size) || !env.grow(size*valueBytes) {
		return undefined
	}
	joined := make([]doc.Value, 0, size)
	for _, a := range args {
		joined = append(joined, a.Elements()...)
	}
	return doc.Array(joined...)
}

// arrayContains searches for an equal element or, if the third argument is true, for an object with all members of the
// one searched for.
func arrayContains(env *Env, args []doc.Value) doc.Value {
	partial, ok := flag(args, 2)
	if !ok || args[0].Kind() != doc.List || !args[1].Defined() {
		return undefined
	}
	if weight := Weight(args[1]); weight >= MaxWeight || !env.step(product(args[0].Len(), weight)) {
		return undefined
	}
	same := doc.Equal
	if partial {
		same = containsValue
	}
	return doc.Bool(slices.ContainsFunc(args[0].Elements(), func(e doc.Value) bool {
		if len(e.Members()) > 0 && partial && !env.step(product(len(e.Members()), args[1].Len())/8) {
			return false
		}
		return (e.Len() == 0 || env.weigh([]doc.Value{e})) && same(e, args[1])
	}))
}

// containsValue reports whether v equals wanted, or is an object with all its members. The members themselves must be
// equal.
func containsValue(v, wanted doc.Value) bool {
	if v.Kind() != doc.Map || wanted.Kind() != doc.Map {
		return doc.Equal(v, wanted)
	}
	for _, m := range wanted.Members() {
		if found := v.Field(m.Name); !found.Defined() || !doc.Equal(found, m.Value) {
			return false
		}
	}
	return true
}

// containsEveryOrSome returns ARRAY_CONTAINS of each value, combined by AND or OR: an undefined result does not matter
// if another decides. settled is the deciding result.
func containsEveryOrSome(settled bool) call {
	return func(env *Env, args []doc.Value) doc.Value {
		result := doc.Bool(!settled)
		for _, wanted := range args[1:] {
			found := arrayContains(env, []doc.Value{args[0], wanted})
			switch {
			case !found.Defined():
				result = undefined
			case found.IsTrue() == settled:
				return found
			}
		}
		return result
	}
}

// arraySlice returns elements from a position on, all or a given number. A negative position counts from the end.
func arraySlice(_ *Env, args []doc.Value) doc.Value {
	from, ok := position(args[1])
	if !ok || args[0].Kind() != doc.List {
		return undefined
	}
	elements := args[0].Elements()
	if from < 0 {
		from = max(0, len(elements)+from)
	}
	elements = elements[min(from, len(elements)):]
	if len(args) == 3 {
		n, ok := position(args[2])
		if !ok {
			return undefined
		}
		elements = elements[:max(0, min(n, len(elements)))]
	}
	return doc.Array(elements...)
}

// objectToArray returns an object for each member, with its name and value under "k" and "v", or under the given names.
func objectToArray(env *Env, args []doc.Value) doc.Value {
	if args[0].Kind() != doc.Map || !all(doc.Text, args[1:]...) {
		return undefined
	}
	key, value := "k", "v"
	if len(args) > 1 {
		key = args[1].Str()
	}
	if len(args) > 2 {
		value = args[2].Str()
	}
	if !env.grow(args[0].Len() * (valueBytes + 2*memberBytes)) {
		return undefined
	}
	pairs := make([]doc.Value, 0, args[0].Len())
	for _, m := range args[0].Members() {
		if m.Value.Defined() {
			pair := doc.Object(doc.Member{Name: key, Value: doc.String(m.Name)})
			pairs = append(pairs, pair.With(value, m.Value))
		}
	}
	return doc.Array(pairs...)
}
