package budget_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
)

// untilError takes single steps until the budget ends, and returns their number.
func untilError(b *budget.Budget, most int) (steps int, err error) {
	for steps < most && err == nil {
		err = b.Step(1)
		steps++
	}
	return steps, err
}

func TestStepsEndExactlyPastTheirLimit(t *testing.T) {
	t.Parallel()
	for _, limit := range []int64{1, 4095, 4096, 4097, 100_000} {
		b := budget.New(t.Context(), budget.Limits{Steps: limit})
		steps, err := untilError(b, 1<<20)
		if !errors.Is(err, budget.ErrSteps) || int64(steps) != limit+1 {
			t.Errorf("limit %d: step %d answers %v", limit, steps, err)
		}
		if err := b.Step(0); !errors.Is(err, budget.ErrSteps) {
			t.Errorf("limit %d: a later step answers %v", limit, err)
		}
	}
}

func TestStepsEndSoonAfterTheContext(t *testing.T) {
	t.Parallel()
	cause := errors.New("the server ends")
	ctx, cancel := context.WithCancelCause(t.Context())
	b := budget.New(ctx, budget.Limits{})
	if _, err := untilError(b, 10_000); err != nil {
		t.Fatal(err)
	}
	cancel(cause)
	if steps, err := untilError(b, 1<<20); !errors.Is(err, cause) || steps > 4096 {
		t.Errorf("%d steps after the context ended: %v", steps, err)
	}
}

func TestStepsEndAfterTheirTime(t *testing.T) {
	t.Parallel()
	b := budget.New(t.Context(), budget.Limits{Time: time.Nanosecond})
	if steps, err := untilError(b, 1<<20); !errors.Is(err, budget.ErrTime) || steps > 4096 {
		t.Errorf("%d steps: %v", steps, err)
	}
}

func TestBytesOfOneRequest(t *testing.T) {
	t.Parallel()
	pool := budget.NewPool(10 << 20)
	b := budget.New(t.Context(), budget.Limits{Bytes: 1 << 20, Pool: pool})
	for range 16 {
		if err := b.Grow(64 << 10); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Grow(1); !errors.Is(err, budget.ErrBytes) {
		t.Errorf("a byte past the limit: %v", err)
	}
	if err := b.Step(1); !errors.Is(err, budget.ErrBytes) {
		t.Errorf("a step after it: %v", err)
	}
	if b.Peak() != 1<<20 || pool.Used() == 0 {
		t.Errorf("held %d, the pool %d", b.Peak(), pool.Used())
	}
	b.Close()
	if pool.Used() != 0 {
		t.Errorf("%d bytes did not come back", pool.Used())
	}
}

func TestSmallRequestsDoNotTouchThePool(t *testing.T) {
	t.Parallel()
	pool := budget.NewPool(1)
	b := budget.New(t.Context(), budget.Limits{Pool: pool})
	if err := b.Grow(64 << 10); err != nil || pool.Peak() != 0 {
		t.Errorf("%v, the pool had %d", err, pool.Peak())
	}
	if err := b.Grow(1); !errors.Is(err, budget.ErrBusy) || pool.Used() != 0 || pool.Refused() != 1 {
		t.Errorf("%v, the pool has %d, refused %d", err, pool.Used(), pool.Refused())
	}
}

func TestShrunkBytesAreUsedAgain(t *testing.T) {
	t.Parallel()
	b := budget.New(t.Context(), budget.Limits{Bytes: 1 << 20, Pool: budget.NewPool(1 << 20)})
	defer b.Close()
	for range 1000 {
		if err := b.Grow(1 << 19); err != nil {
			t.Fatal(err)
		}
		b.Shrink(1 << 19)
	}
}

func TestManyRequestsNeverHoldMoreThanThePool(t *testing.T) {
	t.Parallel()
	const limit = 8 << 20
	pool := budget.NewPool(limit)
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			for range 50 {
				b := budget.New(context.Background(), budget.Limits{Pool: pool})
				for b.Grow(100<<10) == nil {
				}
				b.Close()
			}
		})
	}
	group.Wait()
	if pool.Used() != 0 || pool.Peak() > limit || pool.Refused() == 0 {
		t.Errorf("used %d, at most %d, refused %d", pool.Used(), pool.Peak(), pool.Refused())
	}
}

func TestNilBudgetHasNoLimits(t *testing.T) {
	t.Parallel()
	var b *budget.Budget
	if err := errors.Join(b.Step(1<<40), b.Grow(1<<40), b.Err()); err != nil {
		t.Error(err)
	}
	b.Shrink(1)
	b.Close()
	if got := budget.From(t.Context()); got != nil {
		t.Errorf("a plain context carries %v", got)
	}
	made := budget.New(t.Context(), budget.Limits{})
	if budget.From(budget.With(t.Context(), made)) != made {
		t.Error("a context lost its budget")
	}
}

func BenchmarkStep(b *testing.B) {
	one := budget.New(b.Context(), budget.Limits{Steps: 1 << 60, Time: time.Hour})
	for b.Loop() {
		if err := one.Step(1); err != nil {
			b.Fatal(err)
		}
	}
}

// A budget first uses what its request's account took in advance; the account settles what the budget leaves.
func TestABudgetUsesItsRequestsAccount(t *testing.T) {
	t.Parallel()
	pool := budget.NewPool(64 << 20)
	var account budget.Account
	account.Open(pool, nil)
	if err := account.Reserve(t.Context(), 1<<20); err != nil { // a body
		t.Fatal(err)
	}
	if err := account.Advance(t.Context(), 2<<20); err != nil {
		t.Fatal(err)
	}
	b := budget.New(t.Context(), budget.Limits{Account: &account})
	if err := b.Grow(2 << 20); err != nil || pool.Used() != 3<<20 {
		t.Errorf("%v, and %d bytes are taken, want what was taken ahead", err, pool.Used())
	}
	if err := b.Grow(1 << 20); err != nil || pool.Used() <= 3<<20 {
		t.Errorf("%v, and %d bytes are taken, want more", err, pool.Used())
	}
	b.Leave()
	if !account.Settle(512<<10) || pool.Used() != 512<<10 {
		t.Errorf("%d bytes are taken by an answer of 512 KiB", pool.Used())
	}
	b.Reset(t.Context(), budget.Limits{Account: &account})
	if err := b.Grow(64 << 20); !errors.Is(err, budget.ErrBusy) {
		t.Errorf("more than the pool has: %v", err)
	}
	b.Close()
	account.Force(0)
	if pool.Used() != 0 {
		t.Errorf("%d bytes did not come back", pool.Used())
	}
}

// A request with a sequence of budgets, such as those of a script's queries, returns what each took.
func TestABudgetGivesBackToItsAccount(t *testing.T) {
	t.Parallel()
	pool := budget.NewPool(16 << 20)
	var account budget.Account
	account.Open(pool, nil)
	for range 100 {
		b := budget.New(t.Context(), budget.Limits{Account: &account})
		if err := b.Grow(1 << 20); err != nil {
			t.Fatal(err)
		}
		b.Close()
	}
	if pool.Used() != 0 || account.Bytes() != 0 {
		t.Errorf("%d bytes of the pool and %d of the account did not come back", pool.Used(), account.Bytes())
	}
}

// A budget that is closed and reused does not use the account of its last request, which is another request's by then.
func TestAClosedBudgetLeavesItsAccountAlone(t *testing.T) {
	t.Parallel()
	var account budget.Account
	account.Open(budget.NewPool(1<<20), nil)
	b := budget.New(t.Context(), budget.Limits{Account: &account})
	if err := b.Grow(256 << 10); err != nil {
		t.Fatal(err)
	}
	b.Close()
	var others sync.WaitGroup
	others.Go(func() { account.Force(1) }) // as another request, without synchronization with this one
	b.Reset(t.Context(), budget.Limits{})
	others.Wait()
	if account.Bytes() != 1 {
		t.Errorf("the account has %d bytes", account.Bytes())
	}
}
