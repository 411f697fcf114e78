package script

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/script/sandbox"
)

// session is an execution, with an engine of its own that is isolated from others. It implements the engine's
// sandbox.Host.
type session struct {
	engine     *Engine
	ctx        context.Context
	work       *budget.Budget // of the query that calls the functions, or its own; long requests take turns by it
	vm         *sandbox.VM
	slots      slots
	collection Collection // nil: the script has no access to items
	operations map[string]sandbox.Value
	aborted    *Error // by getContext().abort

	args [4]sandbox.Value // buffer for the arguments of a call

	since time.Time     // when the script started to run; zero: it is not running
	spent time.Duration // how long it ran before that
}

// session waits for a slot and returns a session. The caller closes it.
func (e *Engine) session(ctx context.Context, of slots, c Collection) (*session, error) {
	if err := of.take(ctx); err != nil {
		return nil, err
	}
	s, err := e.newSession(ctx, e.config.Memory)
	if err != nil {
		of.release()
		return nil, err
	}
	s.slots, s.collection = of, c
	return s, nil
}

// newSession returns a session without a slot, for work within another session.
func (e *Engine) newSession(ctx context.Context, memory uint64) (*session, error) {
	t, err := templates().template(ctx)
	if err != nil {
		return nil, err
	}
	s := &session{engine: e, ctx: ctx, work: budget.From(ctx), operations: map[string]sandbox.Value{}}
	if s.work == nil {
		s.work = budget.New(ctx, budget.Limits{Pool: e.config.Pool})
	}
	s.vm, err = t.New(ctx, s, sandbox.Limits{Memory: memory})
	if err != nil {
		return nil, fmt.Errorf("cannot start a script: %w", err)
	}
	return s, nil
}

func (s *session) close() {
	s.work.EndTurn()
	s.vm.Close()
	if s.slots != nil {
		s.slots.release()
	}
}

// run calls fn, which calls into the sandbox, and measures its time. It converts errors of the sandbox to those of the
// script, as *Error.
func (s *session) run(fn func() error) error {
	s.since = time.Now()
	err := fn()
	s.spent, s.since = s.elapsed(), time.Time{}
	return s.failure(err)
}

// elapsed returns how long the script has run.
func (s *session) elapsed() time.Duration {
	if s.since.IsZero() {
		return s.spent
	}
	return s.spent + time.Since(s.since)
}

// Now implements sandbox.Host.
func (s *session) Now() time.Time { return s.engine.config.Now() }

// Tick implements sandbox.Host.
func (s *session) Tick() error {
	s.work.Yield()
	switch {
	case s.ctx.Err() != nil:
		return context.Cause(s.ctx)
	case s.elapsed() > s.engine.config.Time:
		return errTime
	}
	return nil
}

// HandleSignal implements sandbox.Host.
func (s *session) HandleSignal(mail []byte) error {
	switch mail[mailSignal] {
	case signalSubmit:
		mail[mailAnswer] = 0
		if s.accepts() {
			mail[mailAnswer] = 1
		}
	case signalRandom:
		setMailFloat(mail, s.engine.random())
	case signalAbort:
		text := clip(mailText(mail, mailNote, mailNoteAt, mailSize))
		s.aborted = s.threw(text, "", errorNumber(mailFloat(mail)))
		return errAbort
	}
	return nil
}

// accepts reports whether another operation may be queued; if not, the script should finish.
func (s *session) accepts() bool {
	return s.collection != nil && s.elapsed() <= s.engine.config.Time*acceptTenths/10 && s.collection.Accepts()
}

// logged returns the script's log, as in the service's header.
func (s *session) logged() string {
	return url.PathEscape(mailText(s.vm.Mail(), mailLogSize, mailLogAt, mailNoteAt))
}

// define evaluates a script and returns the function to pass to call.
func (s *session) define(p program) (sandbox.Value, error) {
	compiled, err := s.vm.Compile(p.name, p.text)
	if err != nil {
		return sandbox.Undefined, err
	}
	v, err := s.vm.Run(compiled)
	if err != nil {
		return sandbox.Undefined, err
	}
	defer s.vm.Free(v)
	number, err := s.callPrelude("define", "", v)
	if err == nil && !number.Defined() {
		return sandbox.Undefined, compileError("the script is not a function")
	}
	return sandbox.Int(int32(number.Float())), err
}

// call calls a defined script. Undefined arguments are passed separately, because JSON cannot represent them.
func (s *session) call(script sandbox.Value, args []doc.Value) (doc.Value, error) {
	operation, text := "call", doc.Append(nil, doc.Array(args...))
	var missing []doc.Value
	for i := range args {
		if !args[i].Defined() {
			missing = append(missing, doc.Number(float64(i)))
		}
	}
	if len(missing) > 0 {
		operation = "callSome"
		text = append(append([]byte(`{"args":`), text...), `,"missing":`...)
		text = append(doc.Append(text, doc.Array(missing...)), '}')
	}
	out, err := s.callPrelude(operation, string(text), script)
	if err == nil {
		err = s.vm.Jobs()
	}
	return out, err
}

// thrown returns the error for an exception that the prelude could not catch: one thrown while a script was evaluated.
func (s *session) thrown(t sandbox.Thrown) error {
	_, err := s.callPrelude("thrown", "", t.Value)
	var again sandbox.Thrown
	if err == nil || errors.As(err, &again) { // no memory or stack is left to describe it
		return s.threw(tooDeep, "", 0)
	}
	return err
}
