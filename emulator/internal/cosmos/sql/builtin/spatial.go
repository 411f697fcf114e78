package builtin

import (
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/geo"
)

// Invalid GeoJSON makes the result of a spatial function undefined, except for those that check validity.
var spatialFunctions = []Function{
	{"ST_AREA", 1, 1, area},
	{"ST_DISTANCE", 2, 2, shapes(func(a, b *geo.Shape) (doc.Value, bool) {
		d, ok := a.Distance(b)
		return doc.Number(d), ok
	})},
	{"ST_INTERSECTS", 2, 2, shapes(func(a, b *geo.Shape) (doc.Value, bool) {
		yes, ok := a.Intersects(b)
		return doc.Bool(yes), ok
	})},
	{"ST_ISVALID", 1, 1, isValid},
	{"ST_ISVALIDDETAILED", 1, 1, isValidDetailed},
	{"ST_WITHIN", 2, 2, shapes(func(a, b *geo.Shape) (doc.Value, bool) {
		yes, ok := a.Within(b)
		return doc.Bool(yes), ok
	})},
}

func shapes(f func(a, b *geo.Shape) (doc.Value, bool)) call {
	return func(env *Env, args []doc.Value) doc.Value {
		if !env.compares(args[0], args[1]) {
			return undefined
		}
		a, err := geo.Read(args[0], env.Planar)
		if err != nil {
			return undefined
		}
		b, err := geo.Read(args[1], env.Planar)
		if err != nil {
			return undefined
		}
		if v, ok := f(a, b); ok {
			return v
		}
		return undefined
	}
}

func area(env *Env, args []doc.Value) doc.Value {
	if !env.compares(args[0], args[0]) {
		return undefined
	}
	s, err := geo.Read(args[0], env.Planar)
	if err != nil {
		return undefined
	}
	return doc.Number(s.Area())
}

func isValid(env *Env, args []doc.Value) doc.Value {
	if !args[0].Defined() || !env.compares(args[0], args[0]) {
		return undefined
	}
	_, err := geo.Read(args[0], env.Planar)
	return doc.Bool(err == nil)
}

func isValidDetailed(env *Env, args []doc.Value) doc.Value {
	if !args[0].Defined() || !env.compares(args[0], args[0]) {
		return undefined
	}
	_, err := geo.Read(args[0], env.Planar)
	answer := doc.Object(doc.Member{Name: "valid", Value: doc.Bool(err == nil)})
	if err == nil {
		return answer
	}
	return answer.With("reason", doc.String(err.Error()))
}

// compares counts the work of comparing every edge of one shape with every edge of another, as any of the functions may
// do.
func (e *Env) compares(a, b doc.Value) bool {
	return e.weigh([]doc.Value{a, b}) && e.step(product(Weight(a), Weight(b))/8)
}
