package lag

import (
	"bytes"
	"container/heap"
	"sync"
	"sync/atomic"
	"time"

	"github.com/RaduBerinde/btreemap"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/random"
)

// Replica is who answers a read.
type Replica int

// The replicas. A global index is read as Second.
const (
	Leader Replica = iota // shows every write at once
	Second
	Third
	// Oldest is behind all others, and while [Overlay.Keep] asks for it at least [Behind]: what a stale read sees.
	Oldest

	replicas = 3
)

// Behind is how long, on the clock, a write remains unseen by Oldest while that is asked for.
const Behind = time.Second

// grace is for how long news are kept after they arrived, for the readers that began before: a page is read as of one moment.
const grace = 250 * time.Millisecond

// maxHeld is how many bytes of former values an overlay holds. Where a clock stands still while more is written, the
// earliest writes are seen without having waited.
const maxHeld = 64 << 20

// Image is what a key of the store held before a write: Found is false for nothing.
type Image struct {
	Key, Value []byte
	Found      bool
}

// Overlay is the news on their way. It is safe for concurrent use. A nil one has none and records none.
type Overlay struct {
	clock   *clock.Clock
	lagging bool         // replicas and indexes lag, not only Oldest
	keep    atomic.Int32 // how many want Oldest to be behind
	reads   atomic.Uint64

	mu     sync.RWMutex
	dice   dice
	serial uint64
	held   int // bytes
	writes writeHeap
	lanes  map[string]*lane
	byKey  *btreemap.BTreeMap[[]byte, chain]
	cancel func() // of the alarm that prunes; nil where none is set
}

// write is one write on its way: all of it arrives at once.
type write struct {
	arrives arrival
	until   int64 // when all have seen it, in nanoseconds since 1970
	serial  uint64
	lane    string // empty: that of its first key
	images  []image
	one     [1]image // the memory of images, which are one nearly always
	size    int
}

// arrival is when Second, Third and Oldest show a write, in nanoseconds since 1970.
type arrival [3]int64

func (a arrival) at(r Replica) int64 { return a[r-Second] }

// image is what a key held before a write.
type image struct {
	key, value []byte
	found      bool
	write      *write
	next       *image // of the next write of the key
}

// chain is what a key held before each of the writes on their way, the earliest first.
type chain struct{ first, last *image }

// lane is what a lane's last write on its way promised.
type lane struct {
	last     arrival
	onTheWay int
}

// New makes an overlay without news. Everything random comes from the seed. Where lagging is false nothing lags but
// Oldest, and that only while [Overlay.Keep] asks for it.
func New(c *clock.Clock, seed uint64, lagging bool) *Overlay {
	o := &Overlay{clock: c, lagging: lagging, dice: dice(seed)}
	o.reads.Store(^seed)
	o.clear()
	return o
}

func (o *Overlay) clear() {
	o.writes, o.held = nil, 0
	o.lanes = map[string]*lane{}
	o.byKey = btreemap.New[[]byte, chain](16, bytes.Compare)
}

// Lagging says whether replicas and indexes lag.
func (o *Overlay) Lagging() bool { return o != nil && o.lagging }

// Recording says whether writes have to be recorded.
func (o *Overlay) Recording() bool { return o != nil && (o.lagging || o.keep.Load() > 0) }

// Keep has Oldest be Behind the writes from now on, until stop is called, and called for every other Keep.
func (o *Overlay) Keep() (stop func()) {
	o.keep.Add(1)
	return sync.OnceFunc(func() { o.keep.Add(-1) })
}

// Pick is the replica that an eventually consistent read of a table meets: one of the three by chance.
func (o *Overlay) Pick() Replica {
	if !o.Lagging() {
		return Leader
	}
	d := dice(o.reads.Add(random.Step))
	return Replica(d.roll() * replicas)
}

// Clear forgets all news: the state in the store is what everyone sees.
func (o *Overlay) Clear() {
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.cancel != nil {
		o.cancel()
		o.cancel = nil
	}
	o.clear()
}

// Record notes a write before it is committed: what its keys held, which is copied. It never overtakes an earlier write of
// its lane; no lane is that of the first key, and a key is always written in the same lane. A write that is recorded and then
// not committed does no harm.
func (o *Overlay) Record(k Kind, laneKey []byte, was ...Image) {
	now := o.clock.Now()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.prune(now.UnixNano())
	w := newWrite(was)
	o.schedule(w, k, now, o.lastOf(w, laneKey))
	for i := range w.images {
		o.link(&w.images[i])
	}
	o.held += w.size
	heap.Push(&o.writes, w)
	for o.held > maxHeld {
		o.drop()
	}
	o.arm(now)
}

// newWrite copies images into one piece of memory.
func newWrite(was []Image) *write {
	w := &write{}
	w.images = w.one[:0]
	for _, i := range was {
		w.size += len(i.Key) + len(i.Value)
	}
	memory := make([]byte, 0, w.size)
	keep := func(b []byte) []byte {
		from := len(memory)
		memory = append(memory, b...)
		return memory[from:len(memory):len(memory)]
	}
	for _, i := range was {
		w.images = append(w.images, image{key: keep(i.Key), value: keep(i.Value), found: i.Found, write: w})
	}
	w.size += 200 * (1 + len(was)) // what it takes to keep them
	return w
}

// lastOf is what the last write of the write's lane promised, which the write joins.
func (o *Overlay) lastOf(w *write, laneKey []byte) arrival {
	if len(laneKey) == 0 {
		if _, c, ok := o.byKey.Get(w.images[0].key); ok {
			return c.last.write.arrives
		}
		return arrival{}
	}
	w.lane = string(laneKey)
	l, ok := o.lanes[w.lane]
	if !ok {
		l = new(lane)
		o.lanes[w.lane] = l
	}
	l.onTheWay++
	return l.last
}

// schedule decides when a write is seen, which is not before the last one of its lane.
func (o *Overlay) schedule(w *write, k Kind, now time.Time, last arrival) {
	if o.lagging {
		w.arrives[0] = now.Add(k.delay(o.dice.roll())).UnixNano()
		if w.arrives[1] = w.arrives[0]; k == Table {
			w.arrives[1] = now.Add(k.delay(o.dice.roll())).UnixNano()
		}
	}
	w.arrives[2] = max(w.arrives[0], w.arrives[1])
	if o.keep.Load() > 0 {
		w.arrives[2] = max(w.arrives[2], now.Add(Behind).UnixNano())
	}
	for i := range w.arrives {
		w.arrives[i] = max(w.arrives[i], last[i])
	}
	w.until = w.arrives[2]
	if w.lane != "" {
		o.lanes[w.lane].last = w.arrives
	}
	o.serial++
	w.serial = o.serial
}

// link makes an image the last one of its key.
func (o *Overlay) link(i *image) {
	_, c, ok := o.byKey.Get(i.key)
	if ok {
		c.last.next = i
		c.last = i
	} else {
		c = chain{i, i}
	}
	o.byKey.ReplaceOrInsert(c.first.key, c)
}

// prune lets go of what everyone has seen, and no reader of before needs.
func (o *Overlay) prune(now int64) {
	for len(o.writes) > 0 && o.writes[0].until <= now-int64(grace) {
		o.drop()
	}
}

// drop lets go of the write that everyone sees first. Of the writes to one key that is the earliest.
func (o *Overlay) drop() {
	w := heap.Pop(&o.writes).(*write)
	o.held -= w.size
	for i := range w.images {
		o.unlink(&w.images[i])
	}
	if w.lane == "" {
		return
	}
	l := o.lanes[w.lane]
	if l.onTheWay--; l.onTheWay == 0 {
		delete(o.lanes, w.lane)
	}
}

// unlink lets go of the first image of a key. The tree keeps a key that is still in use.
func (o *Overlay) unlink(i *image) {
	_, c, _ := o.byKey.Delete(i.key)
	if i.next != nil {
		o.byKey.ReplaceOrInsert(i.next.key, chain{i.next, c.last})
	}
}

// arm has the news pruned in a while if nobody writes.
func (o *Overlay) arm(now time.Time) {
	if o.cancel == nil && len(o.writes) > 0 {
		o.cancel = o.clock.At(now.Add(time.Second), o.sweep)
	}
}

func (o *Overlay) sweep() {
	now := o.clock.Now()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.cancel = nil
	o.prune(now.UnixNano())
	o.arm(now)
}

// writeHeap has the write first that is seen by all first; of those of one time, the earlier one.
type writeHeap []*write

func (h writeHeap) Len() int { return len(h) }

func (h writeHeap) Less(i, j int) bool {
	if h[i].until == h[j].until {
		return h[i].serial < h[j].serial
	}
	return h[i].until < h[j].until
}

func (h writeHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *writeHeap) Push(x any) { *h = append(*h, x.(*write)) }

// Pop implements heap.Interface.
func (h *writeHeap) Pop() any {
	last := len(*h) - 1
	w := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return w
}
