package changelog

import (
	"context"
	"encoding/binary"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/poison"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Logs holds all logs of a store. It is safe for concurrent use.
type Logs struct {
	store *store.Store
	clock *clock.Clock

	mu   sync.Mutex
	logs map[uint32]*Log
}

// New returns the logs of a store.
func New(s *store.Store, c *clock.Clock) *Logs {
	return &Logs{store: s, clock: c, logs: map[uint32]*Log{}}
}

// Log is one log. A nil Log stands for a table or container without one: Begin does nothing on it.
type Log struct {
	logs    *Logs
	id      uint32
	last    atomic.Uint64 // the last assigned position
	ahead   atomic.Uint64 // the position that SaveAhead stored last
	durable atomic.Uint64 // the same, once it is on stable storage
	tickets tickets
}

// Open returns the log with that id, which may have no changes yet. All callers get the same Log for an id. An id must
// not be reused for another log.
func (s *Logs) Open(id uint32) (*Log, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l, ok := s.logs[id]; ok {
		return l, nil
	}
	l := &Log{logs: s, id: id}
	if err := l.loadLast(); err != nil {
		return nil, err
	}
	s.logs[id] = l
	return l, nil
}

// Forget closes the log with that id, if it is open. Nobody may use it any more.
func (s *Logs) Forget(id uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.logs, id)
}

// Reload makes every open log continue after the positions in the store, after the store's content was replaced. No
// writer may be active.
func (s *Logs) Reload() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.logs {
		l.ahead.Store(0)
		l.durable.Store(0)
		if err := l.loadLast(); err != nil {
			return err
		}
	}
	return nil
}

// loadLast reads the last assigned position from the store.
func (l *Log) loadLast() error {
	return l.logs.store.View(func(r *store.Reader) error {
		it := r.Iter(appendKey(nil, l.id, 0), store.PrefixEnd(appendKey(nil, l.id, 0)[:1+4]), true)
		defer it.Close()
		for it.Next() {
			p := positionOf(it.Key())
			if p != last {
				l.advance(p)
				break
			}
			if v := it.Value(); len(v) == 8 {
				l.advance(Position(binary.BigEndian.Uint64(v)))
			}
		}
		return it.Close()
	})
}

func (l *Log) tip() Position { return Position(l.last.Load()) }

// advance makes later positions greater than p.
func (l *Log) advance(p Position) {
	for {
		now := l.last.Load()
		if now >= uint64(p) || l.last.CompareAndSwap(now, uint64(p)) {
			return
		}
	}
}

// next assigns n consecutive positions and returns the first.
func (l *Log) next(n int) Position { return l.nextAt(n, l.logs.clock.Now()) }

// nextAt assigns n consecutive positions from a time on, or after the last position, and returns the first.
func (l *Log) nextAt(n int, at time.Time) Position {
	for {
		before := l.last.Load()
		p := max(before+1, uint64(At(at)))
		if l.last.CompareAndSwap(before, p+uint64(n)-1) {
			return Position(p)
		}
	}
}

// buffers are memory for encoding records.
var buffers = poison.Pool{New: func() any { return new([]byte) }}

// maxReusedBuffer is the size in bytes above which a buffer is not reused.
const maxReusedBuffer = 64 << 10

// Append appends changes in the transaction that makes them. The writer holds a ticket, and the keys of the items are
// latched. The changes get consecutive positions; Append returns the first.
func (l *Log) Append(tx *store.Tx, records ...*Record) (Position, error) {
	return l.AppendAt(tx, time.Time{}, records...)
}

// AppendAt is Append for changes of an earlier time; zero means now. If the log already has a later position, theirs
// follow it.
func (l *Log) AppendAt(tx *store.Tx, at time.Time, records ...*Record) (Position, error) {
	if at.IsZero() {
		at = l.logs.clock.Now()
	}
	first := l.nextAt(len(records), at)
	buf := buffers.Get().(*[]byte)
	var err error
	for i, r := range records {
		*buf = r.append((*buf)[:0])
		var key [1 + 4 + 8]byte
		if err = tx.Append(appendKey(key[:0], l.id, first+Position(i)), *buf); err != nil {
			break
		}
	}
	poison.Bytes(*buf)
	if cap(*buf) <= maxReusedBuffer {
		buffers.Put(buf)
	}
	return first, err
}

// Mark returns a position that no change has, and after which the log continues whatever the clock shows later. In a
// transaction that closes the gate, all earlier changes are below it.
func (l *Log) Mark(tx *store.Tx) (Position, error) {
	p := l.next(1)
	return p, l.savePosition(tx, p)
}

// Save stores the position of the log, which later continues after it, whatever the clock shows by then. Call it before
// the store is closed if readers keep positions: a Floor may be later than any change.
func (l *Log) Save() error {
	return l.logs.store.Update(store.Latch(appendKey(nil, l.id, last)), func(tx *store.Tx) error {
		return l.savePosition(tx, l.tip())
	})
}

// SaveAhead stores a position if the clock may be ahead of the machine's. Call it before a client gets a position that
// is not a change's: a later process, whose clock begins earlier, continues after that position, also if this one is
// killed. It has no error: a position that cannot be stored is valid until the process ends.
//
// The clients of a running clock get a later position with every poll. What is stored is therefore ahead by a second of
// the machine, as if the process ended that much later, and most polls write nothing.
func (l *Log) SaveAhead(ctx context.Context, p Position) {
	if !l.logs.clock.MayBeAhead() || Position(l.durable.Load()) >= p {
		return
	}
	var stored uint64
	err := l.logs.store.UpdateContext(ctx, store.Latch(appendKey(nil, l.id, last)), func(tx *store.Tx) error {
		stored = max(uint64(max(p, l.tip())+l.perSecond()), l.ahead.Load())
		tx.OnCommit(func() { l.ahead.Store(stored) })
		return l.savePosition(tx, Position(stored))
	})
	if err == nil {
		l.durable.Store(stored)
	}
}

// perSecond returns how many positions pass in a second of the machine.
func (l *Log) perSecond() Position {
	if l.logs.clock.Frozen() {
		return 0
	}
	return Position(l.logs.clock.Speed() * float64(time.Second))
}

// savePosition stores the last assigned position, or a later one that SaveAhead has stored.
func (l *Log) savePosition(tx *store.Tx, p Position) error {
	p = max(p, Position(l.ahead.Load()))
	return tx.Append(appendKey(nil, l.id, last), binary.BigEndian.AppendUint64(nil, uint64(p)))
}
