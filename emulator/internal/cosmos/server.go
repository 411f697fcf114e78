package cosmos

import (
	"errors"
	"io"
	"net/http"
	"runtime/debug"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/faults"
	"github.com/tabletop-db/tabletop/emulator/internal/pieces"
)

// maxBody is the size in bytes of the largest request: a batch of 2 MB, with what wraps it.
const maxBody = 4 << 20

// maxDrained is how much of a request that is too large is read all the same, in bytes: clients that are still sending when
// the connection closes do not see the answer.
const maxDrained = 64 << 20

// ServeHTTP answers a request of the gateway's REST interface.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := s.newExchange(w, r)
	err := x.run(w)
	err = x.holdAnswer(err)
	x.took = s.clock.Machine().Sub(x.began)
	x.notifyObservers(err)
	if x.cut {
		panic(http.ErrAbortHandler) // which closes the connection, or resets HTTP/2's stream, without an answer
	}
	x.write(w, err)
}

// run goes through the order of checks and the operation. A panic is a fault of ours, and the process goes on.
func (x *exchange) run(w http.ResponseWriter) (err *Error) {
	defer func() {
		if p := recover(); p != nil {
			x.account.log.Error("an operation panicked", "operation", x.operation, "panic", p, "stack", string(debug.Stack()))
			err = internalError()
		}
	}()
	if x.route, err = parseRoute(target(x.r.URL)); err != nil {
		return err
	}
	if err = x.checkPath(); err != nil {
		return err
	}
	if err = x.checkVersion(); err != nil {
		return err
	}
	if err = x.readBody(w); err != nil {
		return err
	}
	if err = x.authenticate(); err != nil {
		return err
	}
	op, err := x.find()
	if err != nil {
		return err
	}
	if problem := x.service.running.Enter(x.ctx); problem != nil {
		return x.internal(problem)
	}
	defer x.service.running.Leave()
	if !x.service.serving() {
		return unavailable()
	}
	if err := x.account.store.Readable(); err != nil { // what memory has of the state may be gone after a restart
		return x.internal(err)
	}
	x.operation = op.name
	if err = x.applyFaults(); err != nil || x.cut {
		return err
	}
	if err = x.owners(op); err != nil {
		return err
	}
	if err = x.reserveAnswer(op); err != nil {
		return err
	}
	defer x.moment.Release()
	defer func() { x.work.Close() }()
	err = op.run(x)
	x.spendCharge()
	x.afterwards()
	return err
}

// owners finds what an operation works on.
func (x *exchange) owners(op *handler) *Error {
	switch op.in {
	case inDatabase:
		return x.findDatabase()
	case inContainer:
		return x.findContainer()
	}
	return nil
}

// promised is the size in bytes of a body for which there is room before it comes: its length is a promise, and more is taken as it
// comes.
const promised = 64 << 10

func (x *exchange) readBody(w http.ResponseWriter) *Error {
	if x.r.ContentLength == 0 {
		return nil
	}
	size := x.r.ContentLength
	if size > maxBody {
		_, _ = io.CopyN(io.Discard, x.r.Body, min(size, maxDrained))
		return tooLarge()
	}
	if size > 0 && size <= promised {
		if err := x.memory.Reserve(x.ctx, size); err != nil {
			return bodyError(err)
		}
		x.buffers.in = slices.Grow(x.buffers.in[:0], int(size))
		x.body = x.buffers.in[:size]
		if _, err := io.ReadFull(x.r.Body, x.body); err != nil {
			return bodyError(err)
		}
		return nil
	}
	body := x.r.Body
	if size < 0 {
		body = http.MaxBytesReader(w, body, maxBody)
	}
	var err error
	if x.body, err = pieces.ReadAll(x.memory.Reader(x.ctx, body)); err != nil {
		return bodyError(err)
	}
	return nil
}

func bodyError(err error) *Error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return tooLarge()
	}
	if errors.Is(err, budget.ErrBusy) {
		return busy()
	}
	return badRequest("The request body could not be read.")
}

// notifyObservers tells the observers how the request ended.
func (x *exchange) notifyObservers(err *Error) {
	if len(x.service.observers) == 0 {
		return
	}
	e := &telemetry.Event{At: x.account.now(), Operation: x.operation, Status: x.out.status, Charge: x.charge, Took: x.took}
	if err != nil {
		e.Status, e.Substatus = err.Status, err.Substatus
	}
	if x.database != nil {
		e.Database = x.database.name
	}
	if x.container != nil {
		e.Container = x.container.name
	}
	for _, observe := range x.service.observers {
		observe(e)
	}
}

// applyFaults applies the fault rules that match the request before it runs.
func (x *exchange) applyFaults() *Error {
	if !x.service.faults.On() {
		return nil
	}
	x.verdict = x.service.faults.Judge(x.subject())
	x.stale = x.verdict.Stale
	x.service.faults.Wait(x.ctx, x.verdict.Before)
	switch x.verdict.Refuse {
	case faults.Throttle:
		return tooManyRequests(time.Second)
	case faults.InternalError:
		return internalError()
	case faults.Unavailable:
		return unavailable()
	case faults.CutBeforeCommit:
		x.cut = true
	}
	return nil
}

// afterwards applies the fault rules that match the request after it ran.
func (x *exchange) afterwards() {
	if x.verdict.Lose {
		x.cut = true
	}
}
