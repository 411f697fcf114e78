package store

import (
	"context"
	"errors"
	"time"
)

// ErrConflict is returned by [Store.UpdateOptimistic] where others kept changing what the update depends on. Nothing
// was written; the caller may ask its own caller to try again.
var ErrConflict = errors.New("others changed meanwhile what the update depends on")

const (
	// optimisticTries is how often an optimistic update is prepared before it gives up, the last time with its keys
	// reserved.
	optimisticTries = 4
	// optimisticFor is the time after whose end nothing is prepared a third time. A second try is always made.
	optimisticFor = 5 * time.Second
	// reservedFor is for how long writers of the same keys wait for a reserved try, and how long a try may have taken
	// at most for its keys to be reserved the next time.
	reservedFor = time.Second
	// turnFor is how long an optimistic update waits for its turn, so that many slow ones of one key all end.
	turnFor = 10 * time.Second
)

// errOptimisticAlone is an optimistic update that asks to run alone: everybody would wait for what it is to do beside
// them.
var errOptimisticAlone = errors.New("an optimistic update cannot run alone")

// UpdateOptimistic is an update whose decisions may take long. prepare makes them on a snapshot, and writes, with no
// latch held, so that nobody waits for it. Then commit, which may be nil, runs under the latches for what has to be
// done in the order of commits; it is to be short, and may write too. Between the two nobody else's update of the same
// keys, and no change of the gates' definitions, may have been committed: where one was, prepare runs again, on a newer
// snapshot and as if it had not run before. So the whole is as atomic as an Update. A Tx reads the snapshot from
// beginning to end. Where prepare wrote nothing there is nothing to commit, and neither commit nor what OnCommit was
// given runs: all that it read was so at one moment.
//
// Optimistic updates of one key take turns, so they do not undo each other; each waits ten seconds for its turn at
// most. After three tries that others' updates undid, the others wait for a fourth, a second at most, unless the third
// took longer. [ErrConflict] is returned where that fails too, where five seconds have passed and two tries were made,
// or where its turn did not come.
//
// Errors: those of prepare and commit, as they are; the context's, where it is done before prepare or commit could
// begin.
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
		return s.explained(err)
	}
	err = s.durably(tx)
	return s.explained(errors.Join(err, tx.end()))
}

// takeTurn tries in the update's turn, which ends with the commit: a sync of the log is waited for by many together.
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

// try is one try. It returns the Tx where that was committed.
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

// beginOptimistic starts to watch the keys and takes the snapshot, in a moment when nobody changes them.
func (s *Store) beginOptimistic(ctx context.Context, l *Latches, reserve bool) (*Tx, *watch, error) {
	if err := s.acquire(ctx, l, nil); err != nil {
		return nil, nil, err
	}
	defer s.giveBack(l)
	tx := s.newView()
	tx.seen = s.seen.Load() // it has all keys of the snapshot, whatever replaces it later
	return tx, s.watches.begin(s, l, reserve), nil
}

// validate commits what was prepared, or returns ErrConflict.
func (s *Store) validate(ctx context.Context, l *Latches, w *watch, tx *Tx, commit func(*Tx) error) error {
	if err := s.acquire(ctx, l, w); err != nil {
		return err
	}
	defer s.giveBack(l)
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
