package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
	"github.com/tabletop-db/tabletop/internal/testutil/seeds"
)

const (
	manyWriters  = 5
	manySteps    = 45 // updates of each writer
	manySlots    = 6  // keys of each writer that it overwrites repeatedly
	manyAccounts = 4  // accounts between which all writers move money
	manyMoney    = 100
	manyReopens  = 2
)

// manyWritersHistory is a random history of several concurrent writers. The n-th update of a writer is determined by
// the seed: it fills or clears the writer's own slots, moves money between two accounts, and records the progress of
// another writer.
type manyWritersHistory struct {
	dir   string
	disk  *faultyDisk
	plans [manyWriters][]writerStep
	s     *store.Store

	begun, acked [manyWriters]atomic.Int64 // updates
}

// writerStep is one update of a writer.
type writerStep struct {
	slots      []int // slots to fill
	size       int   // bytes of each value
	clears     bool  // whether it clears all its slots first
	optimistic bool
	from, to   int // accounts
	looksAt    int // the other writer
}

func newManyWritersHistory(t *testing.T, seed uint64) *manyWritersHistory {
	h := &manyWritersHistory{dir: t.TempDir(), disk: newFaultyDisk()}
	h.disk.memTable = memTables[seed%2]
	rng := rand.New(rand.NewPCG(seed, 6))
	for w := range h.plans {
		for range manySteps {
			from := rng.IntN(manyAccounts)
			h.plans[w] = append(h.plans[w], writerStep{
				slots: rng.Perm(manySlots)[:1+rng.IntN(3)], size: 1 + rng.IntN(8_000), clears: rng.IntN(8) == 0,
				optimistic: rng.IntN(4) == 0,
				from:       from, to: (from + 1 + rng.IntN(manyAccounts-1)) % manyAccounts,
				looksAt: (w + 1 + rng.IntN(manyWriters-1)) % manyWriters,
			})
		}
	}
	return h
}

func lastKey(w int) []byte      { return fmt.Appendf(nil, "writer %d, last", w) }
func slotKey(w, i int) []byte   { return fmt.Appendf(nil, "writer %d, slot %d", w, i) }
func accountKey(i int) []byte   { return fmt.Appendf(nil, "account %d", i) }
func slotValue(n, s int) string { return fmt.Sprint(n, " ", strings.Repeat("x", s)) }

// step makes the n-th update of a writer, n from 1 on.
func (h *manyWritersHistory) step(w, n int) error {
	p := h.plans[w][n-1]
	latches := store.Latch(lastKey(w), accountKey(p.from), accountKey(p.to))
	fn := func(tx *store.Tx) error {
		seen, _, err := tx.Get(lastKey(p.looksAt))
		if err != nil {
			return err
		}
		err = tx.Set(lastKey(w), fmt.Appendf(nil, "%d %d %d", n, p.looksAt, number(seen)))
		if p.clears {
			err = errors.Join(err, tx.DeleteRange(slotKey(w, 0), slotKey(w, manySlots)))
		}
		for _, i := range p.slots {
			err = errors.Join(err, tx.Set(slotKey(w, i), []byte(slotValue(n, p.size))))
		}
		for account, sum := range map[int]int{p.from: -1, p.to: 1} {
			money, _, getErr := tx.Get(accountKey(account))
			err = errors.Join(err, getErr, tx.Set(accountKey(account), fmt.Append(nil, number(money)+sum)))
		}
		return err
	}
	if p.optimistic {
		return h.s.UpdateOptimistic(context.Background(), latches, fn, nil)
	}
	return h.s.Update(latches, fn)
}

// run runs until all updates are made, or one is refused. It reopens the folder a few times in between.
func (h *manyWritersHistory) run(t *testing.T) {
	for part := range manyReopens + 1 {
		var err error
		if h.s, err = openOn(h.dir, h.disk, 0); err != nil {
			return
		}
		if part == 0 && h.fund() != nil {
			break
		}
		var writers sync.WaitGroup
		for w := range manyWriters {
			writers.Go(func() { h.write(t, w, manySteps*(part+1)/(manyReopens+1)) })
		}
		writers.Wait()
		failed := h.s.Err() != nil
		_ = h.s.Close()
		if failed {
			return
		}
	}
	_ = h.s.Close()
}

func (h *manyWritersHistory) fund() error {
	return h.s.Update(store.Latches{}, func(tx *store.Tx) (err error) {
		for i := range manyAccounts {
			err = errors.Join(err, tx.Set(accountKey(i), fmt.Append(nil, manyMoney)))
		}
		return err
	})
}

// write makes a writer's updates up to the last one.
func (h *manyWritersHistory) write(t *testing.T, w, last int) {
	for n := int(h.acked[w].Load()) + 1; n <= last; n++ {
		h.begun[w].Store(int64(n))
		switch err := h.step(w, n); {
		case err == nil:
			h.acked[w].Store(int64(n))
		case errors.Is(err, store.ErrConflict):
			n-- // it wrote nothing
		case isFailure(err):
			return
		default:
			t.Errorf("update %d of writer %d failed by %v", n, w, err)
			return
		}
	}
}

// progress returns each writer's progress.
func progress(of *[manyWriters]atomic.Int64) (all [manyWriters]int) {
	for w := range of {
		all[w] = int(of[w].Load())
	}
	return all
}

// check opens a copy of the disk. It has at least the acknowledged and at most the begun updates: of each writer all
// updates up to one and nothing of the next, all the money, and every update that another one has seen.
func (h *manyWritersHistory) check(t *testing.T, what string, disk *faultyDisk, acked, begun [manyWriters]int) {
	t.Helper()
	await.Return(t, "opening after "+what, func() {
		got := contentsTwice(t, what, h.dir, disk)
		for w := range manyWriters {
			h.checkWriter(t, what, got, w, acked[w], begun[w])
		}
		checkMoney(t, what, got)
	})
}

func (h *manyWritersHistory) checkWriter(t *testing.T, what string, got map[string]string, w, acked, begun int) {
	t.Helper()
	var last, other, seen int
	_, _ = fmt.Sscan(got[string(lastKey(w))], &last, &other, &seen)
	if last < acked || last > begun {
		t.Errorf("%s: update %d of writer %d is the last; %d were acknowledged and %d begun", what, last, w, acked, begun)
		return
	}
	if there := number([]byte(got[string(lastKey(other))])); last > 0 && there < seen {
		t.Errorf("%s: update %d of writer %d is there, and of writer %d, of which it saw update %d, only %d", what, last, w,
			other, seen, there)
	}
	want := map[int]string{}
	for n, p := range h.plans[w][:last] {
		if p.clears {
			clear(want)
		}
		for _, i := range p.slots {
			want[i] = slotValue(n+1, p.size)
		}
	}
	for i := range manySlots {
		if got := got[string(slotKey(w, i))]; got != want[i] {
			t.Errorf("%s: after update %d of writer %d slot %d holds %.5q, want %.5q", what, last, w, i, got, want[i])
		}
	}
}

// checkMoney checks that no transfer is there in part. Before the accounts exist, there is no money.
func checkMoney(t *testing.T, what string, got map[string]string) {
	t.Helper()
	sum := 0
	for i := range manyAccounts {
		sum += number([]byte(got[string(accountKey(i))]))
	}
	if sum != manyAccounts*manyMoney && len(got) > 0 {
		t.Errorf("%s: the accounts hold %d together, want %d", what, sum, manyAccounts*manyMoney)
	}
}

// TestPowerCutUnderManyWriters cuts the power before operations of a history of several concurrent writers.
func TestPowerCutUnderManyWriters(t *testing.T) {
	t.Parallel()
	seeds.Run(t, 4, func(t *testing.T, seed uint64) {
		t.Parallel()
		h := newManyWritersHistory(t, seed)
		cuts := cutPower(h.disk, seed, 2, func(cut func() *faultyDisk) func(*testing.T, string) {
			acked := progress(&h.acked)
			disk := cut()
			begun := progress(&h.begun)
			return func(t *testing.T, what string) { h.check(t, what, disk, acked, begun) }
		})
		await.Return(t, "the history", func() { h.run(t) })
		if got := progress(&h.acked); slices.Min(got[:]) < manySteps {
			t.Fatalf("without a fault the writers made %v updates, want %d each", got, manySteps)
		}
		cuts.check(t, rareMoments...)
	})
}

// TestFaultUnderManyWriters refuses disk operations while several writers write, and then cuts the power.
func TestFaultUnderManyWriters(t *testing.T) {
	t.Parallel()
	seeds.Run(t, 6, func(t *testing.T, seed uint64) {
		t.Parallel()
		rng := rand.New(rand.NewPCG(seed, 7))
		faults := []fault{{err: noSpace}, {err: broken, once: true}, {err: noSpace, torn: true},
			{err: broken, once: true, only: only("sync")}}
		plain := newManyWritersHistory(t, seed)
		plain.run(t)
		ops, _ := plain.disk.count()
		h, f := newManyWritersHistory(t, seed), faults[rng.IntN(len(faults))]
		if f.at = 1 + rng.IntN(ops); f.only != nil {
			f.at = 1 + f.at/4 // there are fewer syncs
		}
		h.disk.set(f)
		await.Return(t, "the history", func() { h.run(t) })
		_, hit := h.disk.count()
		h.disk.set(fault{})
		what := fmt.Sprintf("operation %d refused, %s, by %v", f.at, hit, f.err)
		lossy := &faultyDisk{MemFS: h.disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: rng.IntN(101), RNG: rng})}
		h.check(t, what, h.disk, progress(&h.acked), progress(&h.begun))
		h.check(t, what+", then a power cut", lossy, progress(&h.acked), progress(&h.begun))
	})
}
