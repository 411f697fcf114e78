package dynamo

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// What nobody can read any more is removed by the clock: the changes in logs, the streams that ended, the backups whose time
// has come. Who reads goes by the clock alone, and does not see whether something has been removed already.

// The pace of removing.
const (
	// trimSlack is how much longer changes are kept than they can be read: for who reads them while they go, and for an
	// iterator, which is good for 15 minutes, to be told that they went.
	trimSlack = 30 * time.Minute
	// sweepPause is the least time between two removals, so that each is worth its while.
	sweepPause = time.Hour
)

// retention is the one timer, set while there is something to be removed some time.
type retention struct {
	mu     sync.Mutex
	cancel func() // nil where no timer is set
}

func (r *retention) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cancel != nil {
		r.cancel()
	}
	r.cancel = nil
}

// keepRemoving sets the timer if it is not set.
func (s *Service) keepRemoving() { s.removeAt(s.clock.Now().Add(sweepPause)) }

func (s *Service) removeAt(at time.Time) {
	s.retention.mu.Lock()
	defer s.retention.mu.Unlock()
	if s.retention.cancel == nil {
		s.retention.cancel = s.clock.At(at, s.remove)
	}
}

// remove removes what can go, and sets the timer for what comes next.
func (s *Service) remove() { s.whileServing(s.removeWhatCanGo) }

// removeWhatCanGo tries again after sweepPause when a removal fails or panics.
func (s *Service) removeWhatCanGo() {
	s.retention.stop()
	earliest := s.clock.Now().Add(sweepPause)
	next := earliest
	defer func() {
		if !next.IsZero() {
			s.removeAt(later(next, earliest))
		}
	}()
	due, err := s.removeOld()
	if err == nil {
		next = due
	} else if !errors.Is(err, store.ErrClosed) {
		s.log.Error("what nobody can read any more could not be removed", "error", err)
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// removeOld removes what can go of all accounts. next is when more may go; it is zero where nothing is left to.
func (s *Service) removeOld() (next time.Time, err error) {
	s.mu.Lock()
	accounts := maps.Clone(s.accounts)
	s.mu.Unlock()
	for _, a := range accounts {
		due, err := a.removeOld()
		if err != nil {
			return next, err
		}
		next = sooner(next, due)
	}
	return next, nil
}

// sooner is the earlier of two times, zero being none.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

func (a *account) removeOld() (next time.Time, err error) {
	if err := a.ddl.Close(context.Background()); err != nil {
		return next, err
	}
	defer a.unlockTables()
	if err := a.removeStreams(); err != nil {
		return next, err
	}
	if next, err = a.removeBackups(); err != nil {
		return next, err
	}
	for log, period := range a.periods() {
		due, err := a.service.trim(log, period+trimSlack)
		if err != nil {
			return next, err
		}
		next = sooner(next, due)
	}
	return next, nil
}

// trim removes from a log what is older than a period. It is worth its while again once an eighth of that has gone by.
func (s *Service) trim(log *changelog.Log, period time.Duration) (next time.Time, err error) {
	now := s.clock.Now()
	first, ok, err := log.First()
	if horizon := changelog.At(now.Add(-period)); err == nil && ok && first < horizon {
		if err = log.Trim(horizon); err == nil {
			first, ok, err = log.First()
		}
	}
	if next = now; ok {
		next = first.Time()
	}
	return next.Add(period + period/8), err
}

// periods are for how long each log of the account is kept.
func (a *account) periods() map[*changelog.Log]time.Duration {
	all := map[*changelog.Log]time.Duration{}
	for _, st := range *a.streams.Load() {
		all[st.log] = streamRetention
	}
	for _, t := range *a.tables.Load() {
		if t.def.Recovery != nil {
			all[t.log] = max(all[t.log], t.def.Recovery.period())
		}
	}
	return all
}

// removeStreams removes the streams of which nothing can be read any more, and the logs that nothing else needs.
func (a *account) removeStreams() error {
	all, gone := maps.Clone(*a.streams.Load()), []*stream{}
	var gates []*store.Gate
	for arn, st := range all {
		if st.gone(a.service.horizon()) {
			gone = append(gone, st)
			gates = append(gates, a.service.gateOf(st.Table))
			delete(all, arn)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return a.service.store.Update(store.Latch().Alone(gates...), func(tx *store.Tx) error {
		a.streams.Store(&all)
		needed := a.periods()
		for _, st := range gone {
			if err := tx.Delete(a.streamKey(st.ARN)); err != nil {
				return err
			}
			if _, ok := needed[st.log]; ok {
				continue
			}
			if err := st.log.Drop(tx); err != nil {
				return err
			}
		}
		return nil
	})
}

// dropLog removes a table's log if no stream shows it any more, in a transaction that runs alone.
func (t *table) dropLog(tx *store.Tx, streams map[string]*stream) error {
	for _, st := range streams {
		if st.Table == t.def.ID {
			return nil
		}
	}
	return t.log.Drop(tx)
}
