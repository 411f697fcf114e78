package cosmos

import (
	"errors"
	"io"
	"net/http"
	"runtime/debug"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/chunked"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/auth"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/faults"
)

// maxBody is the maximum size of a request body in bytes: a batch of 2 MB with its envelope.
const maxBody = 4 << 20

// maxDrained is how much of a request that is too large is still read, in bytes: a client that is still sending when
// the connection closes does not see the response.
const maxDrained = 64 << 20

// ServeHTTP serves a request of the gateway's REST API.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.serve(w, r, false) }

func (s *Service) serve(w http.ResponseWriter, r *http.Request, computeGateway bool) {
	x := s.newExchange(w, r, computeGateway)
	err := x.run(w)
	if err = x.holdResponse(err); err != nil {
		x.setError(err)
	}
	x.duration = s.Clock.Machine().Sub(x.Began)
	x.notifyObservers(err)
	x.dropBody()
	if x.restart {
		x.service.faults.Restart()
	}
	if x.closeConnection {
		panic(http.ErrAbortHandler) // closes the connection, or resets the HTTP/2 stream, without a response
	}
	x.write(w, err)
}

// run checks the request, in the order of the package documentation, and runs the operation. It converts a panic to an
// internal error, so that the process continues.
func (x *exchange) run(w http.ResponseWriter) (err *wire.Error) {
	defer func() {
		if p := recover(); p != nil {
			x.Account.Log.Error("an operation panicked", "operation", x.Operation, "panic", p, "stack", string(debug.Stack()))
			err = wire.InternalError()
		}
	}()
	if x.Route, err = wire.ParseRoute(RequestPath(x.r.URL)); err != nil {
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
	if err = auth.Authenticate(&x.Call); err != nil {
		return err
	}
	op, err := x.findHandler()
	if err != nil {
		return err
	}
	if enterErr := x.service.running.Enter(x.Ctx); enterErr != nil {
		return x.Internal(enterErr)
	}
	defer x.service.running.Leave()
	if !x.service.serving() {
		return wire.Unavailable()
	}
	if err := x.Account.Store.Readable(); err != nil { // the state in memory may not survive a restart
		return x.Internal(err)
	}
	x.Operation = op.name
	if x.Account.BackupPeriod > 0 {
		x.Ctx = engine.WithAuthor(x.Ctx, x.Caller, op.name)
	}
	if err = x.applyFaults(); err != nil || x.closeConnection {
		return err
	}
	if err = x.findParents(op); err != nil {
		return err
	}
	if err = x.reserveResponse(op); err != nil {
		return err
	}
	defer x.Moment.Release()
	defer func() { x.Work.Close() }()
	err = op.run(x)
	x.SpendCharge()
	x.applyLateFaults()
	return err
}

// findParents finds the database or the container that an operation needs.
func (x *exchange) findParents(op *handler) *wire.Error {
	switch op.parent {
	case inDatabase:
		return x.FindDatabase()
	case inContainer:
		return x.FindContainer()
	}
	return nil
}

// preallocatedBytes is the maximum size in bytes of a body whose memory is allocated in advance, by its Content-Length.
// Memory for a larger body is allocated as it arrives.
const preallocatedBytes = 64 << 10

func (x *exchange) readBody(w http.ResponseWriter) *wire.Error {
	if x.r.ContentLength == 0 {
		return nil
	}
	size := x.r.ContentLength
	if size > maxBody {
		_, _ = io.CopyN(io.Discard, x.r.Body, min(size, maxDrained))
		return wire.TooLarge()
	}
	if size > 0 && size <= preallocatedBytes {
		if err := x.Memory.Reserve(x.Ctx, size); err != nil {
			return bodyError(err)
		}
		x.Buffers.In = slices.Grow(x.Buffers.In[:0], int(size))
		x.Body = x.Buffers.In[:size]
		if _, err := io.ReadFull(x.r.Body, x.Body); err != nil {
			return bodyError(err)
		}
		return nil
	}
	body := x.r.Body
	if size < 0 {
		body = http.MaxBytesReader(w, body, maxBody)
	}
	var err error
	if x.Body, err = chunked.ReadAll(x.Memory.Reader(x.Ctx, body)); err != nil {
		return bodyError(err)
	}
	return nil
}

func bodyError(err error) *wire.Error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return wire.TooLarge()
	}
	if errors.Is(err, budget.ErrBusy) {
		return busy()
	}
	return wire.BadRequest("The request body could not be read.")
}

// notifyObservers passes the result of the request to the observers, unless a fault cut it off before it had an effect.
func (x *exchange) notifyObservers(err *wire.Error) {
	if len(x.service.observers) == 0 || x.closeConnection && !x.dropResponse {
		return
	}
	e := &telemetry.Event{At: x.came, Method: x.Method, URL: x.r.URL, Operation: x.Operation, Status: x.Out.Status,
		Charge: x.Charge, Took: x.duration, Link: x.Route.Link, UserAgent: x.Header("User-Agent"), Caller: x.Caller,
		Request: x.Body, Response: x.Out.Body, ResponseDropped: x.closeConnection,
		Headers: x.Headers, ResponseHeaders: x.Out.Fields}
	if err == nil {
		e.ETag = x.Out.ETag
	} else {
		e.Substatus, e.Error = err.Substatus, err.Code
	}
	if x.Database != nil {
		e.Database = x.Database.Name
	}
	if x.Container != nil {
		e.Container = x.Container.Name
	}
	for _, observe := range x.service.observers {
		observe(e)
	}
}

// applyFaults applies the fault rules that match the request before it runs.
func (x *exchange) applyFaults() *wire.Error {
	if !x.service.faults.Active() {
		return nil
	}
	verdict := x.service.faults.Apply(x.subject())
	x.Stale, x.Redeliver, x.dropResponse = verdict.Stale, verdict.Redeliver, verdict.LoseResponse
	x.ShortPage, x.restart = verdict.ShortPage, verdict.Restart
	x.service.faults.Wait(x.Ctx, verdict.Before)
	switch verdict.Refuse {
	case faults.Throttle:
		return wire.TooManyRequests(time.Second)
	case faults.InternalError:
		return wire.InternalError()
	case faults.Unavailable:
		return wire.Unavailable()
	case faults.Conflict:
		return wire.RetryWith()
	case faults.ExpiredToken:
		return wire.TokenExpired(x.Account.Now(), x.Account.Now())
	case faults.CutBeforeCommit:
		x.closeConnection = true
	}
	return nil
}

// applyLateFaults applies the fault rules that match the request after it ran.
func (x *exchange) applyLateFaults() {
	if x.dropResponse {
		x.closeConnection = true
	}
}
