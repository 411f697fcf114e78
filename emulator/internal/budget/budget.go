package budget

import (
	"context"
	"errors"
	"time"
)

// Reasons why a budget ends work, besides the error of its context. Compare them with errors.Is.
var (
	// ErrSteps reports that a request took more steps than its limit.
	ErrSteps = errors.New("the request takes more steps than one request may")
	// ErrBytes reports that a request would hold more bytes than its limit.
	ErrBytes = errors.New("the request holds more memory than one request may")
	// ErrTime reports that a request ran longer than its limit.
	ErrTime = errors.New("the request runs longer than one request may")
	// ErrBusy reports that the requests of the process hold all memory of their pool.
	ErrBusy = errors.New("requests in progress hold all memory that requests may")
)

// Limits are the limits of one request; 0 means no limit.
type Limits struct {
	Steps int64         // units of work, each about a comparison or 16 bytes of text
	Bytes int64         // held at once
	Time  time.Duration // from New on, by the machine's clock
	Pool  *Pool         // source of Bytes; nil: no limit for the process

	// Account, if not nil, is the request's account, from which Bytes are taken instead of Pool.
	Account *Account
}

const (
	// checkEvery is the number of steps between two checks of the context and the clock.
	checkEvery = 4096
	// unpooledBytes is how many bytes a request may hold without using the pool, so that ordinary requests share nothing.
	unpooledBytes = 64 << 10
	// minTake is the least number of bytes that is taken from the pool at once.
	minTake = 64 << 10
)

// Budget is the resources that one request may still use. It is used by one goroutine at a time. The zero Budget has no
// limits.
type Budget struct {
	ctx      context.Context
	limits   Limits
	deadline time.Time // zero: none

	steps     int64
	nextCheck int64 // steps at which to check the context and the clock
	bytes     int64 // held by the request
	peak      int64 // largest number of bytes held at once
	taken     int64 // bytes taken from the account
	err       error // the error that ended the work; it stays

	since         time.Time // start of its work without yielding; zero: not known yet
	hasTurn       bool      // whether it has a turn
	waitedForTurn bool      // whether it has waited for a turn before
	isPaced       bool      // whether a paced step runs
	pacedSince    time.Time // start of the paced step
	ownAccount    Account   // account of a budget without Limits.Account
}

// New returns a budget for a request that ends with ctx. Close returns what it took from the pool.
func New(ctx context.Context, limits Limits) *Budget {
	b := new(Budget)
	b.Reset(ctx, limits)
	return b
}

// Reset closes the budget and starts it again for another request.
func (b *Budget) Reset(ctx context.Context, limits Limits) {
	b.Close()
	*b = Budget{ctx: ctx, limits: limits}
	b.ownAccount.pool = limits.Pool
	if limits.Time > 0 {
		b.deadline = time.Now().Add(limits.Time)
	}
	b.plan()
}

// Step counts n units of work, and returns the error that ends the request. After an error it always returns the same
// error.
func (b *Budget) Step(n int) error {
	if b == nil {
		return nil
	}
	if b.steps += int64(n); b.steps < b.nextCheck {
		return nil
	}
	return b.check()
}

// Err checks the request's context and time, and returns the error that ended the request; nil means that work may
// continue.
func (b *Budget) Err() error {
	if b == nil {
		return nil
	}
	return b.check()
}

// check checks every limit, yields, and plans the next check. After an error every step calls it.
func (b *Budget) check() error {
	now := time.Now()
	switch {
	case b.err != nil:
	case b.limits.Steps > 0 && b.steps > b.limits.Steps:
		b.err = ErrSteps
	case b.ctx != nil && b.ctx.Err() != nil:
		b.err = context.Cause(b.ctx)
	case b.isOver(now):
		b.err = ErrTime
	default:
		b.plan()
		b.yield(now)
		return nil
	}
	b.nextCheck = 0
	return b.err
}

// isOver reports whether the time of the request is over.
func (b *Budget) isOver(now time.Time) bool {
	return b != nil && !b.deadline.IsZero() && now.After(b.deadline)
}

func (b *Budget) plan() {
	if b.nextCheck = b.steps + checkEvery; b.limits.Steps > 0 {
		b.nextCheck = min(b.nextCheck, b.limits.Steps+1)
	}
}

// Grow counts n more bytes that the request holds until Shrink or Close, and returns an error if it may not.
func (b *Budget) Grow(n int) error {
	if b == nil || n <= 0 {
		return nil
	}
	if b.err != nil {
		return b.err
	}
	held := b.bytes + int64(n)
	if b.limits.Bytes > 0 && held > b.limits.Bytes {
		return b.end(ErrBytes)
	}
	if short := held - unpooledBytes - b.taken; short > 0 {
		short = max(short, minTake)
		if !b.account().grow(short) {
			return b.end(ErrBusy)
		}
		b.taken += short
	}
	b.bytes = held
	b.peak = max(b.peak, held)
	return nil
}

func (b *Budget) end(err error) error {
	b.err, b.nextCheck = err, 0
	return err
}

// account returns the account that bytes are taken from.
func (b *Budget) account() *Account {
	if b.limits.Account != nil {
		return b.limits.Account
	}
	return &b.ownAccount
}

// Shrink counts n bytes less. The pool gets them back at Close, unless another part of the request grows into them.
func (b *Budget) Shrink(n int) {
	if b != nil {
		b.bytes -= min(b.bytes, int64(n))
	}
}

// Close returns all bytes to the pool, and ends the request's turn and its paced step. A further Grow counts from zero.
func (b *Budget) Close() {
	if b == nil {
		return
	}
	b.EndTurn()
	b.EndPaced(false)
	if b.taken > 0 { // otherwise the account may be another request's by now
		b.account().shrink(b.taken)
	}
	b.bytes, b.taken = 0, 0
}

// Leave is Close for a budget whose account is about to be settled: what the budget took stays in the account until
// then.
func (b *Budget) Leave() {
	if b.limits.Account == nil {
		b.Close()
	}
	b.bytes, b.taken = 0, 0
}

// Held returns how many bytes the request holds.
func (b *Budget) Held() int64 {
	if b == nil {
		return 0
	}
	return b.bytes
}

// Steps returns how many units of work were counted.
func (b *Budget) Steps() int64 {
	if b == nil {
		return 0
	}
	return b.steps
}

// Peak returns the largest number of bytes that the request held at once.
func (b *Budget) Peak() int64 {
	if b == nil {
		return 0
	}
	return b.peak
}

// Context returns the request's context.
func (b *Budget) Context() context.Context {
	if b == nil || b.ctx == nil {
		return context.Background()
	}
	return b.ctx
}

type key struct{}

// With returns a context that carries the budget, for From.
func With(ctx context.Context, b *Budget) context.Context { return context.WithValue(ctx, key{}, b) }

// From returns the budget that a context carries, or nil.
func From(ctx context.Context) *Budget {
	b, _ := ctx.Value(key{}).(*Budget)
	return b
}
