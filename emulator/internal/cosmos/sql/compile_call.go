package sql

import (
	"strconv"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
)

func (c *compiler) call(e *ast.Call) eval {
	c.computes = true
	if e.UDF {
		return c.userCall(e)
	}
	if isAggregate(e) {
		return c.aggregate(e)
	}
	name := strings.ToUpper(e.Name)
	fn, ok := builtin.Lookup(name)
	args := c.all(e.Args)
	switch {
	case name == scoreFunction:
		c.fail(faultScoreOutside.at(e.Span))
	case !ok || name == fusionFunction:
		c.fail(faultFunction.at(e.NameAt, e.Name))
		return constantValue(doc.Value{})
	}
	if n := len(e.Args); n < fn.Min || fn.Max >= 0 && n > fn.Max {
		c.fail(faultArguments.at(e.Span, fn.Name, arity(fn)))
	}
	if fn.Name == "RAND" {
		c.varies = true
	}
	if name == distanceFunction {
		c.distanceOptions(e)
		args = append(args, c.embedding(e)...)
	}
	return func(f *frame) doc.Value {
		bottom := len(f.stack)
		for _, arg := range args {
			f.stack = append(f.stack, arg(f))
		}
		v := doc.Value{}
		if f.callable(f.stack[bottom:]) {
			held := f.budget.Held()
			v = fn.Call(f.env, f.stack[bottom:len(f.stack):len(f.stack)])
			f.called(held, len(v.Str()))
		}
		f.stack = f.stack[:bottom]
		return v
	}
}

// called counts the result of a function, a text of a given size. Memory that the function counted itself since the
// budget stood at held is counted as part of the row.
func (f *frame) called(held int64, text int) {
	if err := f.budget.Step(0); err != nil {
		f.end(err)
	}
	if grown := int(f.budget.Held() - held); grown > 0 {
		f.made, f.charged = f.made+grown, f.charged+grown
	}
	f.grow(text)
}

// callable counts the work of any function on its arguments: reading texts and the elements of arrays.
func (f *frame) callable(args []doc.Value) bool {
	n := 1
	for i := range args {
		text, parts := args[i].Extent()
		n += int(uint(text)/bytesPerStep) + parts
	}
	return f.step(n)
}

// bytesPerStep is how many bytes of text count as one step.
const bytesPerStep = 16

// The range of VECTORDISTANCE's option searchListSizeMultiplier.
const (
	searchListOption = "searchListSizeMultiplier"
	maxSearchList    = 100
)

// distanceOptions checks the options of VECTORDISTANCE that only the service's index uses.
func (c *compiler) distanceOptions(e *ast.Call) {
	const options = 3
	if len(e.Args) <= options {
		return
	}
	given, ok := (&Program{params: c.params}).constant(e.Args[options])
	if n := given.Field(searchListOption); ok && n.Kind() == doc.Numeric && (n.Float() < 1 || n.Float() > maxSearchList) {
		c.fail(faultSearchList.at(e.Args[options].At(), searchListOption, n.JSON(), maxSearchList))
	}
}

// arity returns the number of a function's arguments for error messages.
func arity(fn *builtin.Function) string {
	low := strconv.Itoa(fn.Min)
	switch {
	case fn.Max < 0:
		return "at least " + low
	case fn.Max > fn.Min:
		return low + " to " + strconv.Itoa(fn.Max)
	}
	return low
}

// userCall compiles the call of a user-defined function. The first error of a call ends the query.
func (c *compiler) userCall(e *ast.Call) eval {
	c.varies = true
	args := c.all(e.Args)
	return func(f *frame) doc.Value {
		values := make([]doc.Value, len(args))
		for i, arg := range args {
			values[i] = arg(f)
		}
		whole := doc.Array(values...) // its JSON text is what the function gets
		if f.err != nil || !f.step(callSteps) || !f.stepOver(&whole) || !f.grow(2*size(whole)) {
			return doc.Value{}
		}
		if f.udf == nil {
			f.err = faultFunction.at(e.NameAt, "udf."+e.Name)
			return doc.Value{}
		}
		v, err := f.udf(e.Name, values)
		if err != nil {
			f.err = err
		}
		f.grow(wholeBytes(&v))
		return v
	}
}

// aggregate compiles the argument, which is evaluated per row; after grouping, the call yields the result.
func (c *compiler) aggregate(e *ast.Call) eval {
	c.varies = true
	group := c.currentGrouping()
	if group == nil {
		c.fail(faultAggregatePlace.at(e.Span, "FROM"))
		return constantValue(doc.Value{})
	}
	if len(e.Args) != 1 {
		c.fail(faultArguments.at(e.Span, strings.ToUpper(e.Name), "1"))
		return constantValue(doc.Value{})
	}
	if aggregateIn(e.Args[0]) != nil || hasSubquery(e.Args[0]) {
		c.fail(faultNested.at(e.Span))
		return constantValue(doc.Value{})
	}
	scope := c.scope
	scope.group = nil
	arg := c.expr(e.Args[0])
	scope.group = group
	slot := c.slot()
	group.aggs = append(group.aggs, aggregate{e.Name, arg, slot, copiesOf(e.Name)})
	return slotValue(slot)
}

// currentGrouping returns the grouping of the query being compiled.
func (c *compiler) currentGrouping() *grouping {
	if c.scope == nil {
		return nil
	}
	return c.scope.group
}
