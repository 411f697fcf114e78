package script

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script/sandbox"
)

// Functions are the user-defined functions of one query. All their calls share MaxTime. Functions are not safe for
// concurrent use.
type Functions struct {
	engine *Engine
	ctx    context.Context // of the query
	find   func(name string) (source string, ok bool)
	s      *session
	byName map[string]sandbox.Value
}

// Functions returns functions whose sources find returns. The caller closes them.
func (e *Engine) Functions(ctx context.Context, find func(name string) (source string, ok bool)) *Functions {
	return &Functions{engine: e, ctx: ctx, find: find, byName: map[string]sandbox.Value{}}
}

// Close releases the resources of the functions. They must not be called afterwards.
func (f *Functions) Close() {
	if f.s != nil {
		f.s.close()
	}
}

// Call calls a function. The value is undefined if the function returns nothing, or a value that JSON cannot represent.
// An error other than an *Error is ErrNoFunction or one of the context. After an error, no function can be called.
func (f *Functions) Call(name string, args []doc.Value) (doc.Value, error) {
	if f.s == nil {
		s, err := f.engine.session(f.ctx, f.engine.queries, nil)
		if err != nil {
			return doc.Value{}, err
		}
		f.s = s
	}
	var out doc.Value
	err := f.s.run(func() error {
		fn, err := f.function(name)
		if err == nil {
			out, err = f.s.call(fn, args)
		}
		return err
	})
	return out, err
}

func (f *Functions) function(name string) (sandbox.Value, error) {
	if fn, ok := f.byName[name]; ok {
		return fn, nil
	}
	source, ok := f.find(name)
	if !ok {
		return sandbox.Undefined, ErrNoFunction
	}
	program, err := f.engine.program(f.ctx, name+".js", source)
	if err != nil {
		return sandbox.Undefined, err
	}
	fn, err := f.s.define(program)
	if err == nil {
		f.byName[name] = fn
	}
	return fn, err
}
