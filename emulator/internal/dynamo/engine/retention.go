package engine

import (
	"context"
	"errors"
	"maps"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// A timer removes data that can no longer be read: old changes in logs, ended streams, expired backups. Reads decide by
// the clock alone whether data still exists; whether it was removed already makes no difference to them.

// The timing of removals.
const (
	// trimSlack is how much longer changes are kept than they can be read: for reads in progress, and so that an
	// iterator, which is valid for 15 minutes, gets the error for trimmed data.
	trimSlack = 30 * time.Minute
	// RemovalInterval is the least time between two removals, so that each removes a worthwhile amount.
	RemovalInterval = time.Hour
)

func (r *retention) Stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cancel != nil {
		r.cancel()
	}
	r.cancel = nil
}

// ScheduleRemoval sets the timer if it is not set.
func (s *Engine) ScheduleRemoval() { s.scheduleRemovalAt(s.Clock.Now().Add(RemovalInterval)) }

func (s *Engine) scheduleRemovalAt(at time.Time) {
	s.Retention.mu.Lock()
	defer s.Retention.mu.Unlock()
	if s.Retention.cancel == nil {
		s.Retention.cancel = s.Clock.At(at, s.runRemoval)
	}
}

// runRemoval removes what is due, and sets the timer for what is due next.
func (s *Engine) runRemoval() { s.RunIfServing(s.removeAndReschedule) }

// removeAndReschedule retries after RemovalInterval if a removal fails or panics.
func (s *Engine) removeAndReschedule() {
	s.Retention.Stop()
	earliest := s.Clock.Now().Add(RemovalInterval)
	next := earliest
	defer func() {
		if !next.IsZero() {
			s.scheduleRemovalAt(Later(next, earliest))
		}
	}()
	due, err := s.removeExpired()
	if err == nil {
		next = due
	} else if !errors.Is(err, store.ErrClosed) && !errors.Is(err, context.Canceled) {
		s.Log.Error("expired data could not be removed; the removal is retried", "error", err)
	}
}

// Later returns the later of two times.
func Later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// removeExpired removes what is due from all accounts. next is when more is due; it is zero if nothing is left to
// remove.
func (s *Engine) removeExpired() (next time.Time, err error) {
	s.mu.Lock()
	accounts := maps.Clone(s.Accounts)
	s.mu.Unlock()
	for _, a := range accounts {
		due, err := a.removeExpired()
		if err != nil {
			return next, err
		}
		next = Earlier(next, due)
	}
	return next, s.removeOrphans()
}

// Earlier returns the earlier of two times; zero means none.
func Earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

func (a *Account) removeExpired() (next time.Time, err error) {
	if err := a.DDL.Close(context.Background()); err != nil {
		return next, err
	}
	defer a.UnlockTables()
	if !a.IsRegistered() { // another account of its name has its state
		return next, nil
	}
	for _, p := range a.Engine.Extensions {
		due, err := p.RemoveExpired(a)
		if err != nil {
			return next, err
		}
		next = Earlier(next, due)
	}
	for log, period := range a.LogRetention() {
		due, err := a.Engine.trimLog(log, period+trimSlack)
		if err != nil {
			return next, err
		}
		next = Earlier(next, due)
	}
	return next, nil
}

// trimLog removes the records of a log that are older than period. It is due again after another eighth of the period,
// so that it removes a worthwhile amount.
func (s *Engine) trimLog(log *changelog.Log, period time.Duration) (next time.Time, err error) {
	now := s.Clock.Now()
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

// LogRetention returns the retention period of each log of the account.
func (a *Account) LogRetention() map[*changelog.Log]time.Duration {
	all := map[*changelog.Log]time.Duration{}
	for _, p := range a.Engine.Extensions {
		p.ExtendLogRetention(a, all)
	}
	return all
}
