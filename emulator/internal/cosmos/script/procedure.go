package script

import (
	"context"

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
	var r Result
	err := e.execute(ctx, p.Name, p.Source, p.Args, c, messages{
		logs:     p.Logs,
		request:  doc.Object(doc.Member{Name: "Body", Value: doc.Array(p.Args...)}),
		response: doc.Object(doc.Member{Name: "Body", Value: doc.String("")}), // so what is appended makes a text (@azure/cosmos, sproc.spec.ts)
	}, func(s *session) (err error) {
		r.Log = s.logged()
		r.Body, err = s.enter("body", "response")
		return err
	})
	return r, err
}

// messages is the request and the response of an execution. An undefined one is none.
type messages struct {
	request, response doc.Value // objects of named values, such as Body
	writable          bool      // the request's body
	logs              bool
}

// config is what api.js is told of an execution.
func (m messages) config(c Collection) string {
	if m.response.Defined() {
		most, used := c.Quota()
		m.response = m.response.With("MaxResourceQuota", doc.String(most)).With("ResourceQuotaCurrentUsage", doc.String(used))
	}
	return doc.Object(
		doc.Member{Name: "selfLink", Value: doc.String(c.SelfLink())},
		doc.Member{Name: "altLink", Value: doc.String(c.AltLink())},
		doc.Member{Name: "maxMessage", Value: doc.Number(MaxResponse)},
		doc.Member{Name: "logs", Value: doc.Bool(m.logs)},
		doc.Member{Name: "requestWritable", Value: doc.Bool(m.writable)},
		doc.Member{Name: "request", Value: m.request},
		doc.Member{Name: "response", Value: m.response},
	).JSON()
}

// execute runs a script to its end, with all that it queued; then take reads what it left.
func (e *Engine) execute(ctx context.Context, name, source string, args []doc.Value, c Collection, m messages, take func(*session) error) error {
	s, err := e.session(ctx, e.executions, c)
	if err != nil {
		return err
	}
	defer s.close()
	program, err := e.program(ctx, name, source)
	if err != nil {
		return err
	}
	return s.run(func() error {
		if _, err := s.enter("begin", m.config(c)); err != nil {
			return err
		}
		fn, err := s.define(program)
		if err != nil {
			return err
		}
		if _, err := s.call(fn, args); err != nil {
			return err
		}
		if err := s.drain(); err != nil {
			return err
		}
		return take(s)
	})
}
