package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// What is finished before the tables can be used: work that reads this many bytes, of at least minOpeningBytes an item.
// It takes about 0.1 s. A bound that is not a time keeps small folders deterministic.
const (
	maxOpeningBytes = 5 << 20
	minOpeningBytes = 1 << 10
)

// finishSmallWork finishes what the last process left in progress, unless it takes long: see FinishInBackground. s.mu
// must be held.
func (s *Engine) finishSmallWork() error {
	left := maxOpeningBytes
	for _, a := range s.Accounts {
		for _, t := range *a.Tables.Load() {
			if !t.Def.HasUnfinishedWork() || t.locked() {
				continue
			}
			size, err := s.workSize(t, left)
			if left -= size; err == nil && left > 0 {
				_, err = a.FinishWork(context.Background(), t)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// workSize returns how many bytes the unfinished work of a table reads, up to a limit.
func (s *Engine) workSize(t *Table, limit int) (size int, err error) {
	lo, hi := KeySpan(t.Def.ID)
	ranges := [][2][]byte{{lo, hi}}
	if t.Def.Sealing {
		ranges = sealedRanges(t)
	}
	if t.Def.Filling != nil {
		lo, hi := KeySpan(t.Def.Filling.From)
		ranges = append(ranges, [2][]byte{lo, hi})
	}
	return size, s.Store.View(func(r *store.Reader) error {
		for _, keys := range ranges {
			it := r.Iter(keys[0], keys[1], false)
			for size < limit && it.Next() {
				size += max(minOpeningBytes, len(it.Value()))
			}
			if err := it.Close(); err != nil {
				return err
			}
		}
		return nil
	})
}

// WorkContext returns the context of long work, such as a copy of a table, which InterruptWork ends. Such work does not
// end when its client leaves.
func (s *Engine) WorkContext() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.work
}

// FinishInBackground finishes what is in progress while requests are served: what the last process left and
// finishSmallWork did not finish, and what failed. Until then, indexes are CREATING. The work of an account closes its
// DDL, as UpdateTable does. Call it after Load.
func (s *Engine) FinishInBackground() {
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx := s.work
	var accounts []*Account
	for _, a := range s.Accounts {
		if slices.ContainsFunc(slices.Collect(maps.Values(*a.Tables.Load())), func(t *Table) bool {
			return t.Def.HasUnfinishedWork() && !t.locked()
		}) {
			accounts = append(accounts, a)
		}
	}
	if accounts == nil {
		return
	}
	go s.RunIfServing(func() {
		for _, a := range accounts {
			if err := a.finishTables(ctx); err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrClosed) {
				s.Log.Error("a change of a table, such as a new index, could not be finished; it is retried in a minute",
					"error", err)
			}
		}
	})
}

// workRetry is the time after which work that failed is retried.
const workRetry = time.Minute

// retryWork retries work that failed, after workRetry.
func (s *Engine) retryWork() {
	if !s.retriesWork.CompareAndSwap(false, true) {
		return
	}
	s.Clock.At(s.Clock.Now().Add(workRetry), func() {
		s.retriesWork.Store(false)
		s.FinishInBackground()
	})
}

// InterruptWork ends long work, so that the service can close or its state be replaced: its requests get an internal
// error. It does not wait for them. Until ResumeWork, new long work fails too.
func (s *Engine) InterruptWork() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.interruptions++
	s.cancelWork()
}

// ResumeWork ends InterruptWork, and finishes what was interrupted and can be continued.
func (s *Engine) ResumeWork() {
	s.mu.Lock()
	if s.interruptions--; s.interruptions == 0 {
		s.work, s.cancelWork = context.WithCancel(context.Background())
	}
	s.mu.Unlock()
	s.FinishInBackground()
}

// finishTables finishes the work of all tables of an account.
func (a *Account) finishTables(ctx context.Context) (err error) {
	if err := a.DDL.Close(ctx); err != nil {
		return err
	}
	defer a.Engine.LogPanic("a change of a table, such as a new index, panicked; it is retried in a minute")
	defer a.UnlockTables()
	if !a.IsRegistered() {
		return nil
	}
	for _, t := range *a.Tables.Load() {
		_, finishErr := a.FinishWork(ctx, t)
		err = errors.Join(err, finishErr)
	}
	return err
}
