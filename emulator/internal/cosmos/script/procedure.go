package script

import (
	"context"

	"github.com/dop251/goja"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// Procedure is an execution of a stored procedure.
type Procedure struct {
	Name, Source string
	Args         []doc.Value
	Logs         bool // console.log is kept
}

// Result is what a stored procedure gave.
type Result struct {
	Body doc.Value // of the response: the empty text where it set nothing, undefined where it set that
	Log  string    // what it logged, percent-encoded as the service's header has it
}

// Procedure executes a stored procedure. An error that is no *Error is one of the collection or the context.
func (e *Engine) Procedure(ctx context.Context, p Procedure, c Collection) (Result, error) {
	m := messages{logs: p.Logs,
		request:  doc.Object(doc.Member{Name: "Body", Value: doc.Array(p.Args...)}),
		response: doc.Object(doc.Member{Name: "Body", Value: doc.String("")}), // so what is appended makes a text (@azure/cosmos, sproc.spec.ts)
	}
	var r Result
	err := e.execute(ctx, p.Name, p.Source, p.Args, c, m, func(h *host) {
		r.Body, r.Log = h.body("response"), h.log.String()
	})
	return r, err
}

// execute runs a script to its end, with all that it queued; then take reads what it left.
func (e *Engine) execute(ctx context.Context, name, source string, args []doc.Value, c Collection, m messages, take func(*host)) error {
	program, err := e.programs.program(name, source)
	if err != nil {
		return err
	}
	s, err := e.session(ctx)
	if err != nil {
		return err
	}
	defer s.close()
	return s.run(func() error {
		h, err := s.host(c, m)
		if err != nil {
			return err
		}
		fn, err := s.function(program)
		if err != nil {
			return err
		}
		values, err := s.arguments(args)
		if err != nil {
			return s.threw("RangeError: "+err.Error(), "", codeTooLarge)
		}
		if _, err := fn(goja.Undefined(), values...); err != nil {
			return err
		}
		if err := h.drain(); err != nil || s.aborted != nil {
			return err
		}
		return s.try(func() { take(h) })
	})
}

// try runs fn, which reads what a script left: getters and toJSON of it are the script's.
func (s *session) try(fn func()) error {
	if ex := s.rt.Try(fn); ex != nil {
		return ex
	}
	return nil
}

// body is the body of the request or the response as the script left it.
func (h *host) body(message string) doc.Value {
	return h.document(h.messages.Get(message).ToObject(h.rt).Get("Body"))
}
