package sql

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/ast"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql/builtin"
)

// Params is what a query is bound to.
type Params struct {
	Values map[string]doc.Value // of the parameters by their names, "@" included; one that is not there is undefined
	Env    builtin.Env
	// Embeddings are the options of VECTORDISTANCE, as its last argument has them, of the paths that the container's
	// vector policy names, such as "/contentVector".
	Embeddings map[string]doc.Value
	Computed   map[string]*Computed                                   // the container's computed properties by name
	UDF        func(name string, args []doc.Value) (doc.Value, error) // user-defined functions; nil: there are none
	// Budget bounds the constant expressions that Compile evaluates, all of them together; nil: one that knows no
	// client. A program keeps nothing of it.
	Budget *budget.Budget
}

// Program is a query that is ready to run, any number of times, also at the same time as long as Params.UDF allows it.
type Program struct {
	params Params
	block  *block
	slots  int
	shape  *Shape
}

// Compile binds a query. The error is an *Error.
func Compile(q *ast.Query, p Params) (*Program, error) {
	if p.Budget == nil {
		p.Budget = budget.New(context.Background(), Limits(nil))
	}
	c := &compiler{params: p, slots: 1, container: true, documents: map[int]bool{containerSlot: true}}
	b := c.query(q, true)
	if c.err != nil {
		return nil, c.err
	}
	prog := &Program{params: p, block: b, slots: c.slots}
	prog.shape = shapeOf(q, b, prog)
	prog.params.Budget = nil
	return prog, nil
}

// Shape is what the access path is chosen by. It must not be changed.
func (p *Program) Shape() *Shape { return p.shape }

func (p *Program) frame(ctx context.Context, b *budget.Budget) *frame {
	env := p.params.Env
	env.Budget = b
	return &frame{ctx: ctx, slots: make([]doc.Value, p.slots), env: &env, udf: p.params.UDF, budget: b}
}

// constant is the value of an expression that depends on no document; false for any other.
func (p *Program) constant(e ast.Expr) (doc.Value, bool) {
	c := &compiler{params: p.params}
	if v, ok := c.given(e); ok {
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

// containerSlot is where a frame holds the document that is being looked at.
const containerSlot = 0

// frame is the state of one evaluation: the values that aliases, groups and aggregates have now.
type frame struct {
	slots []doc.Value
	stack []doc.Value // arguments of the calls that are being made
	env   *builtin.Env
	udf   func(name string, args []doc.Value) (doc.Value, error)
	ctx   context.Context
	err   error // the first error of a user-defined function, of the budget, or of ctx

	budget  *budget.Budget
	pending int // steps that the budget has not counted yet
	made    int // bytes of values that are made and not given back
	charged int // bytes that the budget has counted for them
	row     row // that is being made
}

// eval is a compiled scalar expression.
type eval func(f *frame) doc.Value
