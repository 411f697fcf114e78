package store

import (
	"slices"
	"sync"

	"github.com/cespare/xxhash/v2"
)

// stripes is the number of mutexes that all keys share, a power of two. With 16 writers on random keys two of them meet
// on a stripe by chance about once in nine moments at 1,024 stripes; they cost 8 KB a store.
const stripes = 1024

// inlineStripes is how many latches a [Latches] holds without an allocation: a write and its few companions.
const inlineStripes = 4

// Latches names the keys that an update depends on. The zero value, and Latch without keys, means every key: the update
// runs alone, as changes of a table's definition must.
type Latches struct {
	n      int
	inline [inlineStripes]uint16
	more   []uint16 // all of them, when they are more than inline holds
}

// Latch returns the latches of the keys given. The order of the keys does not matter, and no order can deadlock.
func Latch(keys ...[]byte) Latches {
	var l Latches
	if len(keys) > inlineStripes {
		l.more = make([]uint16, len(keys))
	}
	all := l.inline[:]
	if l.more != nil {
		all = l.more
	}
	for i, key := range keys {
		all[i] = uint16(xxhash.Sum64(key) % stripes)
	}
	slices.Sort(all[:len(keys)])
	l.n = len(slices.Compact(all[:len(keys)]))
	return l
}

// list returns the stripes in ascending order, without repetition.
func (l *Latches) list() []uint16 {
	if l.more != nil {
		return l.more[:l.n]
	}
	return l.inline[:l.n]
}

// latchTable is the stripes. Everyone locks in ascending order, so nobody waits in a circle.
type latchTable [stripes]sync.Mutex

func (t *latchTable) lock(l *Latches) {
	if l.n == 0 {
		t.lockAll()
		return
	}
	for _, stripe := range l.list() {
		t[stripe].Lock()
	}
}

func (t *latchTable) unlock(l *Latches) {
	if l.n == 0 {
		t.unlockAll()
		return
	}
	for _, stripe := range l.list() {
		t[stripe].Unlock()
	}
}

func (t *latchTable) lockAll() {
	for i := range t {
		t[i].Lock()
	}
}

func (t *latchTable) unlockAll() {
	for i := range t {
		t[i].Unlock()
	}
}
