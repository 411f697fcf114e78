package lag

import (
	"container/heap"
	"slices"
	"time"
)

// Tx is the part of a store transaction that an Overlay needs.
type Tx interface {
	OnCommit(fn func())
	OnAbort(fn func())
}

// Write is the writes of a transaction, which all arrive together. No view shows them before the transaction commits.
type Write struct {
	overlay *Overlay
	kind    Kind
	order   *order // nil: ordered by its keys
	images  []image
	one     [1]image // memory for images, of which there is usually one
	size    int      // bytes
	after   arrival  // arrival of the previous write of the same key, if there is no order

	resolved  bool // committed or aborted
	aborted   bool
	committed uint64  // serial from which views can show it; 0: not committed
	arrives   arrival // set at the commit
	retired   uint64  // serial from which all views show it; 0: not retired
}

// arrival is when Second, Third and Oldest show a write, in nanoseconds since 1970.
type arrival [3]int64

func (a arrival) at(r Replica) int64 { return a[r-Second] }

// order is the sequence of writes with one order key.
type order struct {
	key      string
	last     arrival  // of the last committed write
	inFlight int      // committed writes that some replica does not show yet
	pending  []*Write // reserved writes; the first is unresolved
}

// Record records a write of a transaction before the commit, with the previous values of its keys, which it copies. It
// is [Overlay.Reserve] and [Write.Record] in one, for transactions that are ordered by their latches.
func (o *Overlay) Record(tx Tx, k Kind, orderKey []byte, previous ...Image) {
	o.Reserve(tx, k, orderKey).Record(previous...)
}

// Reserve reserves the place of a transaction's write among all writes with the same order key: it never arrives before
// one that was reserved earlier, and waits for that one's commit or abort. Without an order key, writes are ordered by
// their first key. A key must always be written with the same order key.
func (o *Overlay) Reserve(tx Tx, k Kind, orderKey []byte) *Write {
	w := &Write{overlay: o, kind: k}
	if len(orderKey) > 0 {
		o.mu.Lock()
		w.order = o.orders[string(orderKey)]
		if w.order == nil {
			w.order = &order{key: string(orderKey)}
			o.orders[w.order.key] = w.order
		}
		w.order.pending = append(w.order.pending, w)
		o.mu.Unlock()
	}
	tx.OnCommit(func() { w.resolve(false) })
	tx.OnAbort(func() { w.resolve(true) })
	return w
}

// Record records the previous values of the write's keys, which it copies, before the commit. It is called once.
func (w *Write) Record(previous ...Image) {
	w.copy(previous)
	o := w.overlay
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, c, ok := o.byKey.Get(w.images[0].key); ok && w.order == nil {
		w.after = c.last.write.arrives
	}
	for i := range w.images {
		o.link(&w.images[i])
	}
	o.imageBytes += w.size
}

// copy copies images into one allocation.
func (w *Write) copy(previous []Image) {
	w.images = w.one[:0]
	for _, i := range previous {
		w.size += len(i.Key) + len(i.Value)
	}
	memory := make([]byte, 0, w.size)
	keep := func(b []byte) []byte {
		from := len(memory)
		memory = append(memory, b...)
		return memory[from:len(memory):len(memory)]
	}
	for _, i := range previous {
		w.images = append(w.images, image{key: keep(i.Key), value: keep(i.Value), found: i.Found, write: w})
	}
	w.size += 200 * (1 + len(previous)) // approximate overhead of the structures
}

// resolve ends the write with its transaction, and schedules the committed writes that waited for it.
func (w *Write) resolve(aborted bool) {
	o := w.overlay
	now := o.clock.Now()
	o.mu.Lock()
	defer o.mu.Unlock()
	w.resolved, w.aborted = true, aborted
	if aborted {
		o.unlinkAll(w)
	}
	o.retireArrived(now.UnixNano())
	if w.order != nil {
		o.advance(w.order, now)
	} else if !aborted {
		o.schedule(w, now, w.after)
	}
	for o.pendingBytes > maxImageBytes {
		o.retire()
	}
	o.freeImages()
	o.scheduleRetirement(now)
}

// advance schedules the resolved writes of an order, up to the first unresolved one.
func (o *Overlay) advance(in *order, now time.Time) {
	for len(in.pending) > 0 && in.pending[0].resolved {
		w := in.pending[0]
		in.pending = slices.Delete(in.pending, 0, 1)
		if !w.aborted {
			o.schedule(w, now, in.last)
			in.last = w.arrives
			in.inFlight++
		}
	}
	o.forget(in)
}

// forget removes an order without writes.
func (o *Overlay) forget(in *order) {
	if in.inFlight == 0 && len(in.pending) == 0 {
		delete(o.orders, in.key)
	}
}

// schedule decides when a committed write arrives, which is never before the previous one of its order.
func (o *Overlay) schedule(w *Write, now time.Time, last arrival) {
	if o.lagging {
		w.arrives[0] = now.Add(w.kind.delay(o.rng.next())).UnixNano()
		if w.arrives[1] = w.arrives[0]; w.kind == Table {
			w.arrives[1] = now.Add(w.kind.delay(o.rng.next())).UnixNano()
		}
	}
	w.arrives[2] = max(w.arrives[0], w.arrives[1])
	if o.heldOldest.Load() > 0 {
		w.arrives[2] = max(w.arrives[2], now.Add(MinStaleness).UnixNano())
	}
	for i := range w.arrives {
		w.arrives[i] = max(w.arrives[i], last[i])
	}
	o.serial++
	w.committed = o.serial
	o.pendingBytes += w.size
	heap.Push(&o.arrivals, w)
}

// visibleEverywhere returns when all replicas show the write.
func (w *Write) visibleEverywhere() int64 { return w.arrives.at(Oldest) }

// visibleTo reports whether a moment shows the write.
func (w *Write) visibleTo(m *Moment) bool {
	switch {
	case w.committed == 0 || w.committed > m.serial:
		return false
	case w.retired != 0 && w.retired <= m.serial:
		return true
	}
	return w.arrives.at(m.replica) <= m.now
}

// arrivalHeap orders writes by when all replicas show them, then by commit.
type arrivalHeap []*Write

func (h arrivalHeap) Len() int { return len(h) }

func (h arrivalHeap) Less(i, j int) bool {
	if h[i].visibleEverywhere() == h[j].visibleEverywhere() {
		return h[i].committed < h[j].committed
	}
	return h[i].visibleEverywhere() < h[j].visibleEverywhere()
}

func (h arrivalHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *arrivalHeap) Push(x any) { *h = append(*h, x.(*Write)) }

// Pop implements heap.Interface.
func (h *arrivalHeap) Pop() any {
	last := len(*h) - 1
	w := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return w
}
