package script

import (
	"context"

	"github.com/dop251/goja"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// Functions are the user-defined functions of one query. All their calls share MaxTime. It is for one goroutine at a time.
type Functions struct {
	engine *Engine
	ctx    context.Context // of the query, which calls them
	find   func(name string) (source string, ok bool)
	s      *session
	byName map[string]goja.Callable
}

// Functions are functions whose sources find gives. They are to be closed.
func (e *Engine) Functions(ctx context.Context, find func(name string) (source string, ok bool)) *Functions {
	return &Functions{engine: e, ctx: ctx, find: find, byName: map[string]goja.Callable{}}
}

// Close ends what the functions run on. They may not be called after it.
func (f *Functions) Close() {
	if f.s != nil {
		f.s.close()
	}
}

// Call calls a function. Where it gives nothing, or what JSON has not, the value is undefined. An error that is no *Error is
// ErrNoFunction or one of the context.
func (f *Functions) Call(name string, args []doc.Value) (doc.Value, error) {
	if f.s == nil {
		s, err := f.engine.session(f.ctx)
		if err != nil {
			return doc.Value{}, err
		}
		f.s = s
	}
	var out doc.Value
	err := f.s.run(func() error {
		fn, err := f.function(name)
		if err != nil {
			return err
		}
		values, err := f.s.arguments(args)
		if err != nil {
			return f.s.threw("RangeError: "+err.Error(), "", codeTooLarge)
		}
		v, err := fn(goja.Undefined(), values...)
		if err != nil {
			return err
		}
		return f.s.try(func() { out = f.s.document(v) })
	})
	return out, err
}

func (f *Functions) function(name string) (goja.Callable, error) {
	if fn := f.byName[name]; fn != nil {
		return fn, nil
	}
	source, ok := f.find(name)
	if !ok {
		return nil, ErrNoFunction
	}
	program, err := f.engine.programs.program(name+".js", source)
	if err != nil {
		return nil, err
	}
	fn, err := f.s.function(program)
	if err == nil {
		f.byName[name] = fn
	}
	return fn, err
}
