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
	"github.com/tabletop-db/tabletop/emulator/internal/inflight"
	"github.com/tabletop-db/tabletop/emulator/internal/pieces"
	"github.com/tabletop-db/tabletop/emulator/internal/poison"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// maxBody is the size in bytes of the largest request: a batch of 2 MB, with what wraps it.
const maxBody = 4 << 20

// maxDrained is how much of a request that is too large is read all the same, in bytes: clients that are still sending when
// the connection closes do not see the answer.
const maxDrained = 64 << 20

// ServeHTTP answers a request of the gateway's REST interface.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &call{s: s, r: r, began: s.clock.Machine(), room: rooms.Get().(*room), hold: inflight.Of(w)}
	err := c.run(w)
	err = c.holdAnswer(err)
	c.took = s.clock.Machine().Sub(c.began)
	c.tell(err)
	if c.cut {
		panic(http.ErrAbortHandler) // which closes the connection, or resets HTTP/2's stream, without an answer
	}
	c.write(w, err)
}

// room is memory for the bodies of a request and its answer, used again and again: what is read of the one keeps nothing of it.
type room struct{ in, out []byte }

var rooms = poison.Pool{New: func() any { return new(room) }}

// maxKept is the size in bytes of a room beyond which it is not kept for the next request.
const maxKept = 512 << 10

// release gives the memory to the next answer.
func (m *room) release() {
	poison.Bytes(m.in, m.out)
	if cap(m.in)+cap(m.out) <= maxKept {
		rooms.Put(m)
	}
}

// run goes through the order of checks and the operation. A panic is a fault of ours, and the process goes on.
func (c *call) run(w http.ResponseWriter) (err *Error) {
	defer func() {
		if p := recover(); p != nil {
			c.s.log.Error("an operation panicked", "operation", c.operation, "panic", p, "stack", string(debug.Stack()))
			err = internalError()
		}
	}()
	if c.route, err = parseRoute(target(c.r.URL)); err != nil {
		return err
	}
	if err = c.checkPath(); err != nil {
		return err
	}
	if err = c.checkVersion(); err != nil {
		return err
	}
	if err = c.readBody(w); err != nil {
		return err
	}
	if err = c.authenticate(); err != nil {
		return err
	}
	op, err := c.find()
	if err != nil {
		return err
	}
	if problem := c.s.running.Enter(c.ctx()); problem != nil {
		return c.internal(problem)
	}
	defer c.s.running.Leave()
	if !c.s.serving() {
		return unavailable()
	}
	if err := c.s.store.Readable(); err != nil { // what memory has of the state may be gone after a restart
		return c.internal(err)
	}
	c.operation = op.name
	if err = c.judge(); err != nil || c.cut {
		return err
	}
	if err = c.owners(op); err != nil {
		return err
	}
	if err = c.reserveAnswer(op); err != nil {
		return err
	}
	defer c.moment.Release()
	defer func() { c.work.Close() }()
	err = op.run(c)
	c.settle()
	c.afterwards()
	return err
}

// longBody is the size in bytes of a body from which its request is a long one: it takes a millisecond to read.
const longBody = 128 << 10

// takeTurn waits for a turn to parse a large body. The budget is to be closed; it is nil for other bodies.
func (c *call) takeTurn() *budget.Budget {
	if len(c.body) <= longBody {
		return nil
	}
	b := budget.New(c.ctx(), budget.Limits{Pool: c.s.pool})
	b.TakeTurn()
	return b
}

// owners finds what an operation works on.
func (c *call) owners(op *operation) *Error {
	switch op.in {
	case inDatabase:
		return c.findDatabase()
	case inContainer:
		return c.findContainer()
	}
	return nil
}

// promised is the size in bytes of a body for which there is room before it comes: its length is a promise, and more is taken as it
// comes.
const promised = 64 << 10

func (c *call) readBody(w http.ResponseWriter) *Error {
	if c.r.ContentLength == 0 {
		return nil
	}
	size := c.r.ContentLength
	if size > maxBody {
		_, _ = io.CopyN(io.Discard, c.r.Body, min(size, maxDrained))
		return tooLarge()
	}
	if size > 0 && size <= promised {
		if err := c.hold.Reserve(c.ctx(), size); err != nil {
			return bodyError(err)
		}
		c.room.in = slices.Grow(c.room.in[:0], int(size))
		c.body = c.room.in[:size]
		if _, err := io.ReadFull(c.r.Body, c.body); err != nil {
			return bodyError(err)
		}
		return nil
	}
	body := c.r.Body
	if size < 0 {
		body = http.MaxBytesReader(w, body, maxBody)
	}
	var err error
	if c.body, err = pieces.ReadAll(c.hold.Reader(c.ctx(), body)); err != nil {
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

// tell tells the observers what came of the request.
func (c *call) tell(err *Error) {
	if len(c.s.observers) == 0 {
		return
	}
	e := &telemetry.Event{At: c.s.now(), Operation: c.operation, Status: c.out.status, Charge: c.charge, Took: c.took}
	if err != nil {
		e.Status, e.Substatus = err.Status, err.Substatus
	}
	if c.database != nil {
		e.Database = c.database.name
	}
	if c.container != nil {
		e.Container = c.container.name
	}
	for _, observe := range c.s.observers {
		observe(e)
	}
}

// judge asks the rules of faults about the request, and does what they say before it is run.
func (c *call) judge() *Error {
	if !c.s.faults.On() {
		return nil
	}
	c.verdict = c.s.faults.Judge(c.subject())
	c.s.faults.Wait(c.ctx(), c.verdict.Before)
	switch c.verdict.Refuse {
	case faults.Throttle:
		return tooManyRequests(time.Second)
	case faults.InternalError:
		return internalError()
	case faults.Unavailable:
		return unavailable()
	case faults.CutBeforeCommit:
		c.cut = true
	}
	return nil
}

// afterwards does what the rules of faults say of a request that was run.
func (c *call) afterwards() {
	if c.verdict.Lose {
		c.cut = true
	}
}

// internal is the answer to an error that is not the service's own: a fault of ours, which is logged.
func (c *call) internal(err error) *Error {
	if err == nil {
		return nil
	}
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	if c.ctx().Err() != nil { // nobody waits for the answer any more
		return unavailable()
	}
	if text, ok := store.Unavailable(err); ok { // which is logged where it happens
		return stopped(text)
	}
	c.s.log.Error("an operation failed for a reason of the emulator's own", "operation", c.operation, "error", err)
	return internalError()
}
