package expiry

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Config is what a Queue needs. All but Oldest and Kept is required.
type Config struct {
	Store  *store.Store
	Clock  *clock.Clock
	Logger *slog.Logger
	// Prefix is what the keys of the entries begin with, and those of nothing else. Behind it come the second, in eight
	// bytes, and what tells the entry from others.
	Prefix []byte
	// Grace is how many seconds after its own an entry is due.
	Grace int64
	// Oldest is how many seconds after its own an entry is left alone for good; 0: none is.
	Oldest int64
	// Fire is called when an entry is due. It calls Sweep, unless it is too late for that.
	Fire func()
	// Purge removes what an entry is of, and the entry.
	Purge func(entry []byte) error
	// Kept says of an entry that Purge leaves it alone for now, so that nothing waits for it; nil: it leaves none
	// alone. When that ends, SweepAll is to be called.
	Kept func(entry []byte) bool
}

// Queue is what expires. It is safe for concurrent use.
type Queue struct {
	Config
	timer Timer

	mu    sync.Mutex
	floor int64 // no entry is of a second before; what was there was purged, and its traces are not to be read again each time
}

// lower has the next sweep begin at a second, if it would begin later.
func (q *Queue) lower(second int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.floor = min(q.floor, second)
}

// raise has the next sweep begin at a second, and returns where it would have begun.
func (q *Queue) raise(second int64) (before int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	before, q.floor = q.floor, second
	return before
}

// New makes a queue of what the store has. Nothing is purged before Schedule, Notice or Sweep.
func New(c Config) *Queue {
	return &Queue{Config: c, timer: Timer{Clock: c.Clock, Fire: c.Fire}}
}

// Key is what the keys of a second's entries begin with, in memory of its own, in the queue of a prefix.
func Key(prefix []byte, second int64) []byte {
	key := make([]byte, 0, len(prefix)+48)
	return binary.BigEndian.AppendUint64(append(key, prefix...), uint64(max(0, second)))
}

// Second is the second of an entry.
func (q *Queue) Second(entry []byte) int64 {
	return int64(binary.BigEndian.Uint64(entry[len(q.Prefix):]))
}

// Rest is what the key of an entry has behind its second.
func (q *Queue) Rest(entry []byte) []byte { return entry[len(q.Prefix)+8:] }

// Notice sets the timer for an entry of a second that is written, where it is the first. 0 is none.
func (q *Queue) Notice(second int64) {
	if second != 0 {
		q.lower(second)
		q.timer.Notice(second + q.Grace)
	}
}

// Stop unsets the timer.
func (q *Queue) Stop() { q.timer.Stop() }

// oldest is the first second whose entries are not left alone.
func (q *Queue) oldest() int64 {
	if q.Oldest == 0 {
		return 0
	}
	return q.Clock.Now().Unix() - q.Oldest
}

// Schedule sets the timer for the first entry there is, which may be due already.
func (q *Queue) Schedule() error {
	q.lower(0)
	return q.scheduleFrom(q.oldest())
}

func (q *Queue) scheduleFrom(second int64) error {
	return q.Store.View(func(r *store.Reader) error {
		it := r.Iter(Key(q.Prefix, second), store.PrefixEnd(q.Prefix), false)
		defer it.Close()
		for it.Next() {
			if q.Kept == nil || !q.Kept(it.Key()) {
				q.Notice(q.Second(it.Key()))
				break
			}
		}
		return it.Close()
	})
}

// SweepAll is Sweep, and purges what was left alone too.
func (q *Queue) SweepAll() {
	q.lower(0)
	q.Sweep()
}

// Sweep purges all that is due and was not left alone before, and sets the timer for what comes next.
func (q *Queue) Sweep() {
	q.timer.Stop()
	now := q.Clock.Now().Unix()
	due := now - q.Grace + 1 // the first second that is not
	from := max(q.raise(due), q.oldest())
	failed, err := q.purge(Key(q.Prefix, from), Key(q.Prefix, due))
	if err = errors.Join(err, q.scheduleFrom(due)); err != nil && !errors.Is(err, store.ErrClosed) {
		q.timer.Notice(now + retry)
		q.Logger.Error("some of what expired could not be removed yet", "entries", failed, "error", err)
	}
}

// chunk is how many entries are looked up at once.
const chunk = 500

// purge purges the entries between two keys. err is the first that was met with one, and failed how many could not be
// purged.
func (q *Queue) purge(from, to []byte) (failed int, err error) {
	for from != nil {
		entries, problem := q.entries(from, to)
		if problem != nil {
			q.lower(q.Second(from))
			return failed, errors.Join(err, problem)
		}
		for _, entry := range entries {
			problem := q.purgeOne(entry)
			if problem != nil {
				q.lower(q.Second(entry))
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

// purgeOne purges an entry. One that panics is as one that fails: the others go on, and it is tried again.
func (q *Queue) purgeOne(entry []byte) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("the removal panicked: %v\n%s", reason, debug.Stack())
		}
	}()
	return q.Purge(entry)
}

// entries are the first ones between two keys.
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
