package store

import (
	"context"
	"errors"
	"time"
)

// ErrConflict is returned by [Store.UpdateOptimistic] if other updates kept changing what the update depends on.
// Nothing was written; the caller may ask its own caller to retry.
var ErrConflict = errors.New("others changed meanwhile what the update depends on")

const (
	// optimisticTries is how often an optimistic update is prepared before it fails, the last time with its keys
	// reserved.
	optimisticTries = 4
	// optimisticFor is the time after which there is no third try. A second try is always made.
	optimisticFor = 5 * time.Second
	// reservedFor is how long writers of the same keys wait for a reserved try, and the longest that a try may have
	// taken for its keys to be reserved at the next one.
	reservedFor = time.Second
	// turnFor is how long an optimistic update waits for its turn, so that many slow ones of one key all end.
	turnFor = 10 * time.Second
)

// errOptimisticAlone refuses an optimistic update that asks to run alone: all others would wait for it.
var errOptimisticAlone = errors.New("an optimistic update cannot run alone")

// UpdateOptimistic is an update whose decisions may take long. prepare makes them on a snapshot, and writes, without
// holding latches, so that nobody waits for it. Then commit, which may be nil, runs under the latches; it is for what
// must happen in commit order, must be short, and may write too. If another update of the same keys, or a change of the
// gates' definitions, commits between the two, prepare runs again on a newer snapshot, as if it had not run before. So
// the whole is as atomic as an Update. A Tx reads the snapshot from beginning to end. If prepare wrote nothing, neither
// commit nor the functions of OnCommit run: everything that it read was true at one moment.
//
// Optimistic updates of one key take turns, so they do not undo each other; each waits up to ten seconds for its turn.
// After three tries that other updates undid, the others wait for a fourth, for up to a second, unless the third took
// longer. [ErrConflict] is returned if the fourth fails too, if five seconds have passed after two tries, or if the
// turn did not come.
//
// Errors: those of prepare and commit, unchanged; the context's, if it is done before prepare or commit could begin.
func (s *Store) UpdateOptimistic(ctx context.Context, latches Latches, prepare, commit func(*Tx) error) (err error) {
	if latches.alone || latches.everything() {
		return errOptimisticAlone
	}
	if !s.ops.enter() {
		return ErrClosed
	}
	defer s.ops.leave()
	if err := s.condition.err(); err != nil {
		return err
	}
	tx, err := s.takeTurn(ctx, &latches, prepare, commit)
	if err != nil {
		return s.explain(err)
	}
	err = s.makeDurable(tx)
	return s.explain(errors.Join(err, tx.end()))
}

// takeTurn makes the tries in the update's turn, which ends with the commit, so that many updates can wait together for
// one sync of the log.
func (s *Store) takeTurn(ctx context.Context, l *Latches, prepare, commit func(*Tx) error) (*Tx, error) {
	if err := s.turns.take(ctx, l.hashes()); err != nil {
		return nil, err
	}
	defer s.turns.give(l.hashes())
	began, took := time.Now(), time.Duration(0)
	for try := 1; try <= optimisticTries && (try <= 2 || time.Since(began) < optimisticFor); try++ {
		reserve, since := try == optimisticTries && took < reservedFor, time.Now()
		tx, err := s.try(ctx, l, reserve, prepare, commit)
		if !errors.Is(err, ErrConflict) {
			return tx, err
		}
		took = time.Since(since)
	}
	return nil, ErrConflict
}

// try makes one try. It returns the Tx if it was committed.
func (s *Store) try(ctx context.Context, l *Latches, reserve bool, prepare, commit func(*Tx) error) (_ *Tx, err error) {
	tx, w, err := s.beginOptimistic(ctx, l, reserve)
	if err != nil {
		return nil, err
	}
	done := false
	defer func() {
		s.watches.end(&s.latches, w)
		if !done { // an error, or a panic
			tx.abort()
			err = errors.Join(err, tx.end())
		}
	}()
	if err := prepare(tx); err != nil {
		return nil, err
	}
	if tx.batch != nil {
		if err := s.validate(ctx, l, w, tx, commit); err != nil {
			return nil, err
		}
	}
	done = true
	return tx, nil
}

// beginOptimistic starts to watch the keys and takes the snapshot, while nobody can change the keys.
func (s *Store) beginOptimistic(ctx context.Context, l *Latches, reserve bool) (*Tx, *watch, error) {
	if err := s.acquire(ctx, l, nil); err != nil {
		return nil, nil, err
	}
	defer s.releaseLatches(l)
	tx := s.newView()
	tx.filter = s.filter.Load() // it covers the snapshot, even if a Restore replaces it later
	return tx, s.watches.begin(s, l, reserve), nil
}

// validate commits what was prepared, or returns ErrConflict.
func (s *Store) validate(ctx context.Context, l *Latches, w *watch, tx *Tx, commit func(*Tx) error) error {
	if err := s.acquire(ctx, l, w); err != nil {
		return err
	}
	defer s.releaseLatches(l)
	defer tx.abort()
	if !s.watches.holds(w) {
		return ErrConflict
	}
	if commit != nil {
		if err := commit(tx); err != nil {
			return err
		}
	}
	return s.publish(l, w, tx)
}
