package lag

import (
	"sync"
	"sync/atomic"
	"time"

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

// maxHeld is how many bytes of former values wait for the clock. Where it stands still while more is written, the
// earliest writes are seen without having waited.
const maxHeld = 64 << 20

// Image is what a key of the store held before a write: Found is false for nothing.
type Image struct {
	Key, Value []byte
	Found      bool
}

// Overlay holds the writes that not every replica shows yet. It is safe for concurrent use. A nil Overlay has none and
// records none.
type Overlay struct {
	clock   *clock.Clock
	lagging bool         // replicas and indexes lag, not only Oldest
	keep    atomic.Int32 // how many want Oldest to be behind
	reads   atomic.Uint64

	mu      sync.RWMutex
	rng     rng
	serial  uint64 // counts commits and retirements
	held    int    // bytes of all images
	waiting int    // bytes of the images in arrivals
	// arrivals are the committed writes that some replica does not show yet; retired those that all replicas show, and
	// that running views may still have to hide.
	arrivals arrivalHeap
	retired  []*Write
	pins     pins
	orders   map[string]*order
	byKey    chains
	cancel   func() // of the alarm that retires; nil where none is set
}

// New makes an overlay without writes. Everything random comes from the seed. Where lagging is false nothing lags but
// Oldest, and that only while [Overlay.Keep] asks for it.
func New(c *clock.Clock, seed uint64, lagging bool) *Overlay {
	o := &Overlay{clock: c, lagging: lagging, rng: rng(seed), orders: map[string]*order{}}
	o.byKey = newChains()
	o.reads.Store(^seed)
	return o
}

// Lagging reports whether replicas and indexes lag.
func (o *Overlay) Lagging() bool { return o != nil && o.lagging }

// Recording reports whether writes have to be recorded.
func (o *Overlay) Recording() bool { return o != nil && (o.lagging || o.keep.Load() > 0) }

// Keep makes Oldest be Behind the writes from now on, until stop is called, and called for every other Keep.
func (o *Overlay) Keep() (stop func()) {
	o.keep.Add(1)
	return sync.OnceFunc(func() { o.keep.Add(-1) })
}

// Pick is the replica that an eventually consistent read of a table meets: one of the three by chance.
func (o *Overlay) Pick() Replica {
	if !o.Lagging() {
		return Leader
	}
	d := rng(o.reads.Add(random.Step))
	return Replica(d.next() * replicas)
}

// Clear shows every committed write to all from now on: the state in the store is what they see. Views that run keep
// what they show.
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
	for len(o.arrivals) > 0 {
		o.retire()
	}
	o.free()
}

// arm retires writes in a while if nobody writes.
func (o *Overlay) arm(now time.Time) {
	if o.cancel == nil && len(o.arrivals) > 0 {
		o.cancel = o.clock.At(now.Add(time.Second), o.sweep)
	}
}

func (o *Overlay) sweep() {
	now := o.clock.Now()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.cancel = nil
	o.retireArrived(now.UnixNano())
	o.arm(now)
}
