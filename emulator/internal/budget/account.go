package budget

import (
	"context"
	"io"
)

// Account is all memory that one request holds of a [Pool]: its body, intermediate results, and its response. It
// belongs to the goroutine that serves the request. A nil Account holds nothing and never refuses.
type Account struct {
	pool       *Pool
	waitPolicy *WaitPolicy
	bytes      int64
	advance    int64 // part of bytes that Advance took for Budgets to use
}

// Open makes the account an empty one of a pool. Requests wait as policy says; nil: not at all.
func (a *Account) Open(p *Pool, policy *WaitPolicy) { *a = Account{pool: p, waitPolicy: policy} }

// Pool returns the account's pool, or nil if there is no limit.
func (a *Account) Pool() *Pool {
	if a == nil {
		return nil
	}
	return a.pool
}

// Reserve grows the account to at least n bytes, and waits for them as the wait policy and ctx allow. Errors: ErrBusy,
// and the cause of ctx.
func (a *Account) Reserve(ctx context.Context, n int64) error {
	if a == nil || n <= a.bytes {
		return nil
	}
	if err := a.pool.wait(ctx, n-a.bytes, n, a.waitPolicy); err != nil {
		return err
	}
	a.bytes = n
	return nil
}

// Advance takes n more bytes in advance, which the request's Budget can then use without a refusal. It waits, and
// returns errors, as Reserve does.
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

// grow takes n more bytes, first of those taken in advance, and reports whether they were free.
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

// shrink returns n bytes that grow took.
func (a *Account) shrink(n int64) {
	n = min(n, a.bytes)
	a.bytes -= n
	a.pool.Return(n)
}

// Settle sets the account to n bytes without waiting. To grow, it reports whether the pool has the bytes; if not, it
// changes nothing.
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

// Force sets the account to n bytes even if the pool does not have them: for responses that must not be refused any
// more.
func (a *Account) Force(n int64) {
	if !a.Settle(n) {
		a.pool.force(n - a.bytes)
		a.bytes, a.advance = n, 0
	}
}

// Fits reports whether the account could have n bytes now. It takes nothing.
func (a *Account) Fits(n int64) bool { return a == nil || a.pool.fits(n-a.bytes, n) }

// Bytes returns the number of bytes of the account.
func (a *Account) Bytes() int64 {
	if a == nil {
		return 0
	}
	return a.bytes
}

// Reader returns a reader that counts twice the bytes it reads, since buffers grow with spare capacity.
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
