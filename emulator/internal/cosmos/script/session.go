package script

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// session is one execution: an engine of its own, which sees nothing of others.
type session struct {
	engine  *Engine
	rt      *goja.Runtime
	dog     *watchdog
	log     strings.Builder
	aborted error          // by getContext().abort
	fatal   error          // of the emulator's own, which is no business of the script's
	open    []*goja.Object // what join is within

	rangeErrors    *goja.Object
	errorPrototype *goja.Object
	source         goja.Callable // of a regular expression: its text
}

//go:embed guard.js
var guardSource string

//go:embed api.js
var apiSource string

// The parts of a session that are in JavaScript.
var (
	guardProgram = goja.MustCompile(guardName, guardSource, true)
	apiProgram   = goja.MustCompile(apiName, apiSource, true)
)

// Their names in stacks, where they are left out.
const (
	guardName = "(guard.js)"
	apiName   = "(api.js)"
)

func (e *Engine) session(ctx context.Context) (*session, error) {
	rt := goja.New()
	rt.SetParserOptions(parser.WithDisableSourceMaps) // they would be read from files
	rt.SetTimeSource(e.config.Now)
	rt.SetRandSource(e.random)
	rt.SetMaxCallStackSize(MaxCalls)
	s := &session{engine: e, rt: rt, rangeErrors: rt.Get("RangeError").ToObject(rt),
		errorPrototype: rt.Get("Error").ToObject(rt).Get("prototype").ToObject(rt)}
	if err := s.guard(); err != nil {
		return nil, fmt.Errorf("cannot set up the script engine: %w", err)
	}
	s.dog = watch(ctx, rt, e.config.Time, e.config.Growth)
	return s, nil
}

func (s *session) close() { s.dog.close() }

// run runs fn, which calls into the engine, under the watchdog. Errors of the engine become the script's, as *Error.
func (s *session) run(fn func() error) (err error) {
	s.dog.begin()
	defer s.dog.end()
	defer func() {
		if x := recover(); x != nil { // a fault of the engine's own, such as a slice beyond all memory
			err = s.threw(clip(fmt.Sprintf("InternalError: %v", x)), "", 0)
		}
	}()
	if err = fn(); err != nil {
		return s.failure(err)
	}
	if s.aborted != nil {
		return s.aborted
	}
	return nil
}

// function evaluates a script's program.
func (s *session) function(p *goja.Program) (goja.Callable, error) {
	v, err := s.rt.RunProgram(p)
	if err != nil {
		return nil, err
	}
	fn, ok := goja.AssertFunction(v)
	if !ok {
		return nil, unusable("the script is not a function")
	}
	return fn, nil
}

// throw throws an error with a number in the script that runs now.
func (s *session) throw(number int, format string, args ...any) {
	panic(s.newError(number, fmt.Sprintf(format, args...)))
}

// newError is what new Error(number, text) makes.
func (s *session) newError(number int, text string) *goja.Object {
	o := s.rt.NewGoError(errors.New(text))
	_ = o.SetPrototype(s.errorPrototype)
	_ = o.Set("message", text)
	for name, v := range map[string]any{"number": number, "body": text} {
		_ = o.DefineDataProperty(name, s.rt.ToValue(v), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	return o
}

// arguments are values for a call.
func (s *session) arguments(values []doc.Value) ([]goja.Value, error) {
	in := s.importer()
	args := make([]goja.Value, len(values))
	for i := range values {
		args[i] = in.value(values[i])
	}
	return args, in.err
}
