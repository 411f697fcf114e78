package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/internal/testutil/seeds"
)

// bank is accounts in branches. Updates of all kinds move money between accounts of a branch, and each uses the
// branch's definition, which others change.
type bank struct {
	t        *testing.T
	s        *Store
	branches [3]struct {
		gate       *Gate
		definition atomic.Int64
	}
	transfers atomic.Int64
	conflicts atomic.Int64
	gaveUp    atomic.Int64
}

const (
	bankAccounts = 4 // per branch
	bankSteps    = 150
	bankWorkers  = 8
)

// TestHistoriesAreSerializable moves money at random: by plain updates, optimistic ones, changes of definitions,
// restores of the latest state, and requests whose client leaves. The total never changes in any view; no definition
// changes under an update that uses it; no lock is left held; and everything ends.
func TestHistoriesAreSerializable(t *testing.T) {
	t.Parallel()
	seeds.Run(t, 5, func(t *testing.T, seed uint64) {
		t.Parallel()
		b := &bank{t: t, s: mustOpenMemory(t)}
		for i := range b.branches {
			b.branches[i].gate = b.s.NewGate()
		}
		var workers sync.WaitGroup
		for worker := range uint64(bankWorkers) {
			workers.Go(func() {
				rng := rand.New(rand.NewPCG(seed, worker))
				for range bankSteps {
					b.step(rng)
				}
			})
		}
		ended := make(chan struct{})
		go func() { workers.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(2 * time.Minute):
			t.Fatal("some wait for each other")
		}
		b.check()
		checkIdle(t, b.s, b.branches[0].gate, b.branches[1].gate, b.branches[2].gate)
		t.Logf("%d transfers, %d tries again, %d gave up", b.transfers.Load(), b.conflicts.Load(), b.gaveUp.Load())
		if b.transfers.Load() == 0 {
			t.Error("no transfer was made")
		}
	})
}

func (b *bank) step(rng *rand.Rand) {
	ctx := context.Background()
	if rng.IntN(4) == 0 { // the client leaves at a random moment
		var cancel func()
		ctx, cancel = context.WithTimeout(ctx, time.Duration(rng.IntN(300))*time.Microsecond)
		defer cancel()
	}
	branch, from, to, amount := rng.IntN(len(b.branches)), rng.IntN(bankAccounts), rng.IntN(bankAccounts), rng.Int64N(100)
	var err error
	switch rng.IntN(10) {
	case 0:
		err = b.redefine(ctx, branch, rng.IntN(len(b.branches)))
	case 1:
		b.check()
	case 2:
		err = b.across(ctx, branch, rng.IntN(len(b.branches)), from, amount)
	case 3, 4, 5:
		err = b.optimistic(ctx, branch, from, to, amount, rng.IntN(60))
	default:
		key := bankKey(branch, from)
		err = b.s.UpdateContext(ctx, Latch(key, bankKey(branch, to)).Within(b.branches[branch].gate), func(tx *Tx) error {
			return b.move(tx, branch, branch, from, to, amount)
		})
	}
	if err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, ErrConflict) {
		b.t.Error(err)
	}
	if errors.Is(err, ErrConflict) {
		b.gaveUp.Add(1)
	}
}

func bankKey(branch, account int) []byte { return fmt.Appendf(nil, "account%d/%d", branch, account) }

// move moves an amount, and checks that the definitions of both branches do not change.
func (b *bank) move(tx *Tx, branch, other, from, to int, amount int64) error {
	before := [2]int64{b.branches[branch].definition.Load(), b.branches[other].definition.Load()}
	if branch == other && from == to {
		return nil
	}
	source, _, err := tx.Get(bankKey(branch, from))
	if err != nil {
		return err
	}
	target, _, err := tx.Get(bankKey(other, to))
	if err != nil {
		return err
	}
	one, two := balance(source)-amount, balance(target)+amount
	tx.OnCommit(func() {
		if now := [2]int64{b.branches[branch].definition.Load(), b.branches[other].definition.Load()}; now != before {
			b.t.Errorf("the definitions %v became %v under an update", before, now)
		}
		b.transfers.Add(1)
	})
	return errors.Join(tx.Set(bankKey(branch, from), binary.BigEndian.AppendUint64(nil, uint64(one))),
		tx.Set(bankKey(other, to), binary.BigEndian.AppendUint64(nil, uint64(two))))
}

// optimistic prepares a transfer slowly, while others run.
func (b *bank) optimistic(ctx context.Context, branch, from, to int, amount int64, pauses int) error {
	tries := 0
	return b.s.UpdateOptimistic(ctx, Latch(bankKey(branch, from), bankKey(branch, to)).Within(b.branches[branch].gate),
		func(tx *Tx) error {
			if tries++; tries > 1 {
				b.conflicts.Add(1)
			}
			err := b.move(tx, branch, branch, from, to, amount)
			for range pauses {
				runtime.Gosched()
			}
			return err
		}, nil)
}

func (b *bank) across(ctx context.Context, branch, other, account int, amount int64) error {
	if branch == other {
		return nil
	}
	l := Latch(bankKey(branch, account), bankKey(other, account)).Within(b.branches[other].gate, b.branches[branch].gate)
	return b.s.UpdateContext(ctx, l, func(tx *Tx) error { return b.move(tx, branch, other, account, account, amount) })
}

// redefine changes the definitions of two branches.
func (b *bank) redefine(ctx context.Context, branch, other int) error {
	return b.s.UpdateContext(ctx, Latch().Alone(b.branches[branch].gate, b.branches[other].gate), func(tx *Tx) error {
		for _, i := range []int{branch, other} {
			tx.OnCommit(func() { b.branches[i].definition.Add(1) })
		}
		return nil
	})
}

func (b *bank) check() {
	sum := int64(0)
	err := b.s.View(func(r *Reader) error {
		for branch := range b.branches {
			for account := range bankAccounts {
				value, _, err := r.Get(bankKey(branch, account))
				if err != nil {
					return err
				}
				sum += balance(value)
			}
		}
		return nil
	})
	if err != nil || sum != 0 {
		b.t.Errorf("the sum is %d, want 0 (%v)", sum, err)
	}
}

// TestRunsAloneBesideEverything resets and restores a store during writes of every kind. A restore replaces the whole
// state, so the counters of a View are never from two states.
func TestRunsAloneBesideEverything(t *testing.T) {
	t.Parallel()
	seeds.Run(t, 5, func(t *testing.T, seed uint64) {
		t.Parallel()
		s := mustOpenMemory(t)
		gate, both := s.NewGate(), Latch([]byte("a"), []byte("b"))
		count := func(tx *Tx) error {
			value, _, err := tx.Get([]byte("a"))
			next := binary.BigEndian.AppendUint64(nil, uint64(balance(value)+1))
			return errors.Join(err, tx.Set([]byte("a"), next), tx.Set([]byte("b"), next))
		}
		var workers sync.WaitGroup
		for worker := range uint64(6) {
			workers.Go(func() {
				rng := rand.New(rand.NewPCG(seed, worker))
				for range bankSteps {
					if err := anyUpdate(s, rng, both, gate, count); err != nil && !errors.Is(err, ErrConflict) {
						t.Error(err)
					}
				}
			})
		}
		workers.Wait()
		checkIdle(t, s, gate)
	})
}

func anyUpdate(s *Store, rng *rand.Rand, both Latches, gate *Gate, count func(*Tx) error) error {
	switch rng.IntN(6) {
	case 0:
		return s.Reset()
	case 1:
		snapshot, err := s.Snapshot()
		if err != nil {
			return err
		}
		return s.Restore(snapshot)
	case 2, 3:
		return s.UpdateOptimistic(context.Background(), both.Within(gate), count, nil)
	case 4:
		return s.View(func(r *Reader) error {
			a, _, _ := r.Get([]byte("a"))
			b, _, _ := r.Get([]byte("b"))
			if balance(a) != balance(b) {
				return fmt.Errorf("a is %d and b is %d", balance(a), balance(b))
			}
			return nil
		})
	}
	return s.Update(both.Within(gate), count)
}
