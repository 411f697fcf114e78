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

// session is one execution: an engine of its own, which sees nothing of others. It is the sandbox.Host of it.
type session struct {
	engine     *Engine
	ctx        context.Context
	work       *budget.Budget // of the query whose functions run, or of its own: by it long requests take turns
	vm         *sandbox.VM
	taken      slots
	collection Collection // nil: the script has none
	operations map[string]sandbox.Value
	aborted    *Error // by getContext().abort

	args [4]sandbox.Value // memory for those of a call

	since time.Time     // when the script began to run; zero: it does not run
	spent time.Duration // what it ran before
}

// session waits for a slot. The session is to be closed.
func (e *Engine) session(ctx context.Context, of slots, c Collection) (*session, error) {
	if err := of.take(ctx); err != nil {
		return nil, err
	}
	s, err := e.bare(ctx, e.config.Memory)
	if err != nil {
		of.free()
		return nil, err
	}
	s.taken, s.collection = of, c
	return s, nil
}

// bare is a session without a slot, for work within another's.
func (e *Engine) bare(ctx context.Context, memory uint64) (*session, error) {
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
	if s.taken != nil {
		s.taken.free()
	}
}

// run runs fn, which calls into the sandbox, and counts its time. Errors of the sandbox become the script's, as *Error.
func (s *session) run(fn func() error) error {
	s.since = time.Now()
	err := fn()
	s.spent, s.since = s.elapsed(), time.Time{}
	return s.failure(err)
}

// elapsed is how long the script has run.
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

// Ring implements sandbox.Host.
func (s *session) Ring(mail []byte) error {
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

// accepts reports whether another operation may be queued; else the script is to come to its end.
func (s *session) accepts() bool {
	return s.collection != nil && s.elapsed() <= s.engine.config.Time*acceptTenths/10 && s.collection.Accepts()
}

// logged is what the script logged, as the service's header has it.
func (s *session) logged() string {
	return url.PathEscape(mailText(s.vm.Mail(), mailLogSize, mailLogAt, mailNoteAt))
}

// define evaluates a script, and gives what call calls it by.
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
	number, err := s.enter("define", "", v)
	if err == nil && !number.Defined() {
		return sandbox.Undefined, unusable("the script is not a function")
	}
	return sandbox.Int(int32(number.Float())), err
}

// call calls a script that was defined. Arguments that are undefined are named beside the others: JSON has none.
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
	out, err := s.enter(operation, string(text), script)
	if err == nil {
		err = s.vm.Jobs()
	}
	return out, err
}

// thrown is the error of what the sandbox could not catch itself: what a script threw while it was evaluated.
func (s *session) thrown(t sandbox.Thrown) error {
	_, err := s.enter("thrown", "", t.Value)
	var again sandbox.Thrown
	if err == nil || errors.As(err, &again) { // no words are left for it, or no stack
		return s.threw(tooDeep, "", 0)
	}
	return err
}
