package changelog

import (
	"encoding/binary"
	"sync"
	"sync/atomic"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Logs are all logs of a store. It is safe for concurrent use.
type Logs struct {
	store *store.Store
	clock *clock.Clock

	mu   sync.Mutex
	logs map[uint32]*Log
}

// New finds the logs in a store.
func New(s *store.Store, c *clock.Clock) *Logs {
	return &Logs{store: s, clock: c, logs: map[uint32]*Log{}}
}

// Log is one log. The nil Log is that of what nobody follows: Begin does nothing on it.
type Log struct {
	logs    *Logs
	id      uint32
	last    atomic.Uint64 // position that was given last
	tickets tickets
}

// Open is the log of that id, which need not have any changes. All who ask for an id have the same Log. The id of a log must
// not be used for another one later.
func (s *Logs) Open(id uint32) (*Log, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l, ok := s.logs[id]; ok {
		return l, nil
	}
	l := &Log{logs: s, id: id}
	if err := l.goOn(); err != nil {
		return nil, err
	}
	s.logs[id] = l
	return l, nil
}

// Reload has every open log go on behind what is in the store now that its content was replaced. No writer may be under way.
func (s *Logs) Reload() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.logs {
		if err := l.goOn(); err != nil {
			return err
		}
	}
	return nil
}

// goOn takes the position to go on from out of the store.
func (l *Log) goOn() error {
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

// advance has no change come at or before p any more.
func (l *Log) advance(p Position) {
	for {
		now := l.last.Load()
		if now >= uint64(p) || l.last.CompareAndSwap(now, uint64(p)) {
			return
		}
	}
}

// next gives a position.
func (l *Log) next() Position {
	now := uint64(At(l.logs.clock.Now()))
	for {
		before := l.last.Load()
		p := max(before+1, now)
		if l.last.CompareAndSwap(before, p) {
			return Position(p)
		}
	}
}

// buffers are the memory of records on their way to the store.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// maxKept is the size in bytes of a buffer beyond which it is not kept.
const maxKept = 64 << 10

// Append appends a change in the transaction that makes it, whose writer holds a ticket, while the key of the item is latched.
func (l *Log) Append(tx *store.Tx, r *Record) (Position, error) {
	p := l.next()
	buf := buffers.Get().(*[]byte)
	*buf = r.append((*buf)[:0])
	var key [1 + 4 + 8]byte
	err := tx.Append(appendKey(key[:0], l.id, p), *buf)
	if cap(*buf) <= maxKept {
		buffers.Put(buf)
	}
	return p, err
}

// Mark gives a position that no change has, and that the log goes on behind whatever the clock shows later. In a transaction
// that runs alone, all changes that were made before it are below it.
func (l *Log) Mark(tx *store.Tx) (Position, error) {
	p := l.next()
	return p, l.keep(tx, p)
}

// keep writes the position to go on from.
func (l *Log) keep(tx *store.Tx, p Position) error {
	return tx.Append(appendKey(nil, l.id, last), binary.BigEndian.AppendUint64(nil, uint64(p)))
}
