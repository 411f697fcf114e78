package script

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// Procedure is an execution of a stored procedure.
type Procedure struct {
	Name, Source string
	Args         []doc.Value
	Logs         bool // keep the output of console.log
}

// Result is the result of a stored procedure.
type Result struct {
	Body doc.Value // of the response; the empty string if the procedure set none, undefined if it set undefined
	Log  string    // the log, percent-encoded as in the service's header
}

// Procedure executes a stored procedure. An error other than an *Error is one of the collection or the context.
func (e *Engine) Procedure(ctx context.Context, p Procedure, c Collection) (Result, error) {
	var r Result
	err := e.execute(ctx, p.Name, p.Source, p.Args, c, messages{
		logs:    p.Logs,
		request: doc.Object(doc.Member{Name: "Body", Value: doc.Array(p.Args...)}),
		// appending yields text (@azure/cosmos, sproc.spec.ts)
		response: doc.Object(doc.Member{Name: "Body", Value: doc.String("")}),
	}, func(s *session) (err error) {
		r.Log = s.logged()
		r.Body, err = s.callPrelude("body", "response")
		return err
	})
	return r, err
}

// messages are the request and the response of an execution; undefined: none.
type messages struct {
	request, response doc.Value // objects of named values, such as Body
	writable          bool      // of the request's body
	logs              bool
}

// config returns the configuration of an execution for api.js.
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

// execute runs a script and everything it queues; then take reads the result.
func (e *Engine) execute(ctx context.Context, name, source string, args []doc.Value, c Collection, m messages,
	take func(*session) error) error {
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
		if _, err := s.callPrelude("begin", m.config(c)); err != nil {
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
