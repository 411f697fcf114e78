package budget

import (
	"context"
	"io"
)

// Account is what one request holds of a [Pool], in all: its body, what is made for it, and its answer. It belongs to
// the goroutine that serves the request. A nil Account holds nothing and is never refused.
type Account struct {
	pool     *Pool
	patience *Patience
	bytes    int64
	advance  int64 // of bytes: taken ahead, for Budgets to use
}

// Open makes the account an empty one of a pool. Requests wait as patience says; nil: they do not.
func (a *Account) Open(p *Pool, patience *Patience) { *a = Account{pool: p, patience: patience} }

// Pool is what the account is of; nil where there is no bound.
func (a *Account) Pool() *Pool {
	if a == nil {
		return nil
	}
	return a.pool
}

// Reserve makes the account at least n bytes, and waits for them as patience and ctx allow. Errors: ErrBusy, and the
// cause of ctx's end.
func (a *Account) Reserve(ctx context.Context, n int64) error {
	if a == nil || n <= a.bytes {
		return nil
	}
	if err := a.pool.wait(ctx, n-a.bytes, n, a.patience); err != nil {
		return err
	}
	a.bytes = n
	return nil
}

// Advance takes n bytes more ahead, for the request's Budget to use without being refused. It waits as Reserve does,
// and has its errors.
func (a *Account) Advance(ctx context.Context, n int64) error {
	if a == nil {
		return nil
	}
	if err := a.Reserve(ctx, a.bytes+n); err != nil {
		return err
	}
	a.advance += n
	return nil
}

// grow takes n bytes more, of those that were taken ahead first, and reports whether they were free.
func (a *Account) grow(n int64) bool {
	ahead := min(n, a.advance)
	if more := n - ahead; more > 0 {
		if !a.pool.Take(more, a.bytes+more) {
			return false
		}
		a.bytes += more
	}
	a.advance -= ahead
	return true
}

// shrink gives n bytes back that grow took.
func (a *Account) shrink(n int64) {
	n = min(n, a.bytes)
	a.bytes -= n
	a.pool.Return(n)
}

// Settle makes the account n bytes without waiting. More than it was, it reports whether the pool has them: where not,
// it changes nothing.
func (a *Account) Settle(n int64) bool {
	if a == nil {
		return true
	}
	if n > a.bytes && !a.pool.Take(n-a.bytes, n) {
		return false
	}
	if n < a.bytes {
		a.pool.Return(a.bytes - n)
	}
	a.bytes, a.advance = n, 0
	return true
}

// Force makes the account n bytes, whatever the pool has: for answers that must not be refused any more.
func (a *Account) Force(n int64) {
	if !a.Settle(n) {
		a.pool.force(n - a.bytes)
		a.bytes, a.advance = n, 0
	}
}

// Bytes returns how many bytes the account has.
func (a *Account) Bytes() int64 {
	if a == nil {
		return 0
	}
	return a.bytes
}

// Reader counts what it reads, as twice its size: buffers that grow have room.
func (a *Account) Reader(ctx context.Context, from io.Reader) io.Reader {
	if a == nil {
		return from
	}
	return &reader{a, ctx, from}
}

type reader struct {
	account *Account
	ctx     context.Context
	from    io.Reader
}

// Read implements io.Reader. Errors: those of the reader, and those of Reserve.
func (r *reader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if n > 0 {
		if busy := r.account.Reserve(r.ctx, r.account.bytes+2*int64(n)); busy != nil {
			return 0, busy
		}
	}
	return n, err
}
