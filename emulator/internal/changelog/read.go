package changelog

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Tip returns the last position up to the present: every later change is after it.
func (l *Log) Tip() Position {
	l.advance(max(1, At(l.logs.clock.Now())) - 1)
	return l.tip()
}

// Floor returns the position up to which readers may read: every change at or below it is committed and durable, and no
// more will follow.
func (l *Log) Floor() Position {
	tip := l.Tip() // before the tickets: writers that begin later come after it
	if after, ok := l.tickets.oldest(); ok {
		return min(tip, after)
	}
	return tip
}

// Read calls visit for each change between two positions, both inclusive, in order, or in reverse order if backward is
// set, until visit returns false. The record shares the Reader's memory and is valid only during the call. A reader
// that follows the log must not read beyond the Floor from before it opened the Reader.
func (l *Log) Read(r *store.Reader, from, to Position, backward bool, visit func(Position, Record) (bool,
	error)) error {
	to = min(to, last-1)
	if from > to {
		return nil
	}
	it := r.Iter(appendKey(nil, l.id, from), appendKey(nil, l.id, to+1), backward)
	return errors.Join(each(&it, visit), it.Close())
}

func each(it *store.Iter, visit func(Position, Record) (bool, error)) error {
	for it.Next() {
		record, err := decode(it.Value())
		if err != nil {
			return err
		}
		if more, err := visit(positionOf(it.Key()), record); err != nil || !more {
			return err
		}
	}
	return nil
}

// First returns the position of the oldest change in the log; ok is false if there is none.
func (l *Log) First() (p Position, ok bool, err error) {
	err = l.logs.store.View(func(r *store.Reader) error {
		it := r.Iter(appendKey(nil, l.id, 0), appendKey(nil, l.id, last), false)
		defer it.Close()
		if ok = it.Next(); ok {
			p = positionOf(it.Key())
		}
		return it.Close()
	})
	return p, ok, err
}

// Trim removes every change before a position.
func (l *Log) Trim(before Position) error {
	return l.logs.store.Update(store.Latch(appendKey(nil, l.id, last)), func(tx *store.Tx) error {
		return l.trim(tx, before)
	})
}

// Drop removes every change, in a transaction that closes the gate.
func (l *Log) Drop(tx *store.Tx) error { return l.trim(tx, last) }

// Retire is Drop for a log that nobody will write to any more. It is forgotten when the transaction commits.
func (l *Log) Retire(tx *store.Tx) error {
	tx.OnCommit(func() { l.logs.Forget(l.id) })
	return l.Drop(tx)
}

func (l *Log) trim(tx *store.Tx, before Position) error {
	if err := tx.DeleteRange(appendKey(nil, l.id, 0), appendKey(nil, l.id, before)); err != nil {
		return err
	}
	return l.savePosition(tx, l.tip())
}
