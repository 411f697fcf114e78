package expiry

import (
	"bytes"
	"encoding/binary"
	"errors"
	"log/slog"
	"sync"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/panics"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Config configures a Queue. All fields except Oldest and Kept are required.
type Config struct {
	Store  *store.Store
	Clock  *clock.Clock
	Logger *slog.Logger
	// Prefix is the prefix of the keys of the entries, and of no other keys. It is followed by the second, in eight
	// bytes, and a part that makes the key unique.
	Prefix []byte
	// Grace is how many seconds after its own second an entry is due.
	Grace int64
	// MaxAge is how many seconds after its own second an entry is ignored forever; 0: never.
	MaxAge int64
	// Fire is called when an entry is due. It calls Sweep, unless the service is closed.
	Fire func()
	// Purge deletes the item of an entry, and the entry.
	Purge func(entry []byte) error
	// Retained reports whether Purge keeps an entry for now, so that the timer does not wait for it. nil: none is kept.
	// When the reason ends, SweepAll must be called.
	Retained func(entry []byte) bool
}

// Queue is the queue of entries. It is safe for concurrent use.
type Queue struct {
	Config
	timer Timer

	mu    sync.Mutex
	floor int64 // all earlier entries were purged; skips their tombstones
}

// lowerFloor makes the next sweep begin at a second, unless it begins earlier.
func (q *Queue) lowerFloor(second int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.floor = min(q.floor, second)
}

// raiseFloor makes the next sweep begin at a second, and returns where it would have begun.
func (q *Queue) raiseFloor(second int64) (before int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	before, q.floor = q.floor, second
	return before
}

// New returns a queue of the entries in the store. Nothing is purged before Schedule, Notice or Sweep.
func New(c Config) *Queue {
	return &Queue{Config: c, timer: Timer{Clock: c.Clock, Fire: c.Fire}}
}

// Key returns the prefix of the keys of a second's entries, in the queue with that prefix. The memory is the caller's.
func Key(prefix []byte, second int64) []byte {
	key := make([]byte, 0, len(prefix)+48)
	return binary.BigEndian.AppendUint64(append(key, prefix...), uint64(max(0, second)))
}

// Second returns the second of an entry.
func (q *Queue) Second(entry []byte) int64 {
	return int64(binary.BigEndian.Uint64(entry[len(q.Prefix):]))
}

// KeySuffix returns the part of an entry's key after the second.
func (q *Queue) KeySuffix(entry []byte) []byte { return entry[len(q.Prefix)+8:] }

// ScheduleEntry sets the timer for a new entry with that second, if it is the first. 0 means no entry.
func (q *Queue) ScheduleEntry(second int64) {
	if second != 0 {
		q.lowerFloor(second)
		q.timer.ScheduleAt(second + q.Grace)
	}
}

// Stop stops the timer.
func (q *Queue) Stop() { q.timer.Stop() }

// oldest returns the first second whose entries are not ignored.
func (q *Queue) oldest() int64 {
	if q.MaxAge == 0 {
		return 0
	}
	return q.Clock.Now().Unix() - q.MaxAge
}

// Schedule sets the timer for the first entry, which may be due already.
func (q *Queue) Schedule() error {
	q.lowerFloor(0)
	return q.scheduleFrom(q.oldest())
}

func (q *Queue) scheduleFrom(second int64) error {
	return q.Store.View(func(r *store.Reader) error {
		it := r.Iter(Key(q.Prefix, second), store.PrefixEnd(q.Prefix), false)
		defer it.Close()
		for it.Next() {
			if q.Retained == nil || !q.Retained(it.Key()) {
				q.ScheduleEntry(q.Second(it.Key()))
				break
			}
		}
		return it.Close()
	})
}

// SweepAll is Sweep, and also purges the entries that were kept.
func (q *Queue) SweepAll() {
	q.lowerFloor(0)
	q.Sweep()
}

// Sweep purges all entries that are due and were not kept before, and sets the timer for the next one.
func (q *Queue) Sweep() {
	q.timer.Stop()
	now := q.Clock.Now().Unix()
	due := now - q.Grace + 1 // the first second that is not due
	from := max(q.raiseFloor(due), q.oldest())
	failed, err := q.purge(Key(q.Prefix, from), Key(q.Prefix, due))
	if err = errors.Join(err, q.scheduleFrom(due)); err != nil && !errors.Is(err, store.ErrClosed) {
		q.timer.ScheduleAt(now + retry)
		q.Logger.Error("some of what expired could not be removed yet", "entries", failed, "error", err)
	}
}

// chunk is how many entries are read at once.
const chunk = 500

// purge purges the entries between two keys. failed is how many could not be purged, err the first of their errors.
func (q *Queue) purge(from, to []byte) (failed int, err error) {
	for from != nil {
		entries, problem := q.entries(from, to)
		if problem != nil {
			q.lowerFloor(q.Second(from))
			return failed, errors.Join(err, problem)
		}
		for _, entry := range entries {
			problem := q.purgeOne(entry)
			if problem != nil {
				q.lowerFloor(q.Second(entry))
			}
			if errors.Is(problem, store.ErrClosed) {
				return failed, problem
			}
			if problem != nil {
				if failed++; err == nil {
					err = problem
				}
			}
		}
		if from = nil; len(entries) == chunk {
			from = append(entries[chunk-1], 0)
		}
	}
	return failed, err
}

// purgeOne purges an entry. A panic counts as an error: the other entries are purged, and this one is retried.
func (q *Queue) purgeOne(entry []byte) error {
	return panics.AsError("the removal", func() error { return q.Purge(entry) })
}

// entries returns the first entries between two keys, at most chunk.
func (q *Queue) entries(from, to []byte) (all [][]byte, err error) {
	err = q.Store.View(func(r *store.Reader) error {
		it := r.Iter(from, to, false)
		defer it.Close()
		for len(all) < chunk && it.Next() {
			all = append(all, bytes.Clone(it.Key()))
		}
		return it.Close()
	})
	return all, err
}
