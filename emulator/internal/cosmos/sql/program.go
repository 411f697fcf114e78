package sql

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
)

// Params are the parameters of a query and its environment.
type Params struct {
	Values map[string]doc.Value // parameters by name, including the "@"; missing ones are undefined
	Env    builtin.Env
	// Embeddings are the options of VECTORDISTANCE, as in its last argument, for the paths of the container's vector
	// policy, such as "/contentVector".
	Embeddings map[string]doc.Value
	Computed   map[string]*Computed                                   // the container's computed properties by name
	UDF        func(name string, args []doc.Value) (doc.Value, error) // user-defined functions; nil: none
	// Budget limits the constant expressions that Compile evaluates, in total; nil: a default budget without
	// cancellation. The program does not keep it.
	Budget *budget.Budget
}

// Program is a compiled query. It can run any number of times, and concurrently if Params.UDF allows it.
type Program struct {
	params Params
	block  *block
	slots  int
	shape  *Shape
}

// Compile compiles a query. The error is an *Error.
func Compile(q *ast.Query, p Params) (*Program, error) {
	if p.Budget == nil {
		p.Budget = budget.New(context.Background(), Limits(nil))
	}
	c := &compiler{params: p, slots: 1, container: true, documents: map[int]bool{containerSlot: true},
		properties: map[string]compiledProperty{}}
	b := c.query(q, true)
	if c.err != nil {
		return nil, c.err
	}
	prog := &Program{params: p, block: b, slots: c.slots}
	prog.shape = shapeOf(q, b, prog)
	prog.params.Budget = nil
	return prog, nil
}

// Shape returns what a caller needs to choose the access path. The caller must not change it.
func (p *Program) Shape() *Shape { return p.shape }

func (p *Program) frame(ctx context.Context, b *budget.Budget) *frame {
	env := p.params.Env
	env.Budget = b
	return &frame{ctx: ctx, slots: make([]doc.Value, p.slots), env: &env, udf: p.params.UDF, budget: b}
}

// constant returns the value of an expression that does not depend on documents; false for any other.
func (p *Program) constant(e ast.Expr) (doc.Value, bool) {
	c := &compiler{params: p.params}
	if v, ok := c.constantOf(e); ok {
		return v, true
	}
	value := c.expr(e)
	if c.err != nil || c.varies {
		return doc.Value{}, false
	}
	if p.params.Budget.Err() != nil {
		return doc.Value{}, false
	}
	f := p.frame(context.Background(), p.params.Budget)
	v := value(f)
	f.discharge()
	return v, f.countSteps() && f.budget.Err() == nil
}

// containerSlot is the slot of the current document in a frame.
const containerSlot = 0

// frame is the state of one evaluation: the current values of aliases, groups and aggregates.
type frame struct {
	slots []doc.Value
	stack []doc.Value // arguments of the calls in progress
	env   *builtin.Env
	udf   func(name string, args []doc.Value) (doc.Value, error)
	ctx   context.Context
	err   error // the first error of a user-defined function, of the budget, or of ctx

	budget  *budget.Budget
	pending int // steps not yet counted in the budget
	made    int // bytes of values made and not released
	charged int // of these, bytes counted in the budget
	row     row // the current row
}

// eval is a compiled scalar expression.
type eval func(f *frame) doc.Value
