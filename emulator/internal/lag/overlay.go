package lag

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/random"
)

// Replica is the replica that answers a read.
type Replica int

// The replicas. A global index is read as Second.
const (
	Leader Replica = iota // shows every write at once
	Second
	Third
	// Oldest is the last to show a write and, while [Overlay.HoldOldest] is active, at least [MinStaleness] late: stale
	// reads use it.
	Oldest

	replicas = 3
)

// MinStaleness is how long, on the clock, Oldest does not show a write while HoldOldest is active.
const MinStaleness = time.Second

// maxImageBytes is the most bytes of previous values that wait for the clock. If the clock stands still while more is
// written, the earliest writes arrive before their time.
const maxImageBytes = 64 << 20

// Image is the previous value of a key. Found is false if the key did not exist.
type Image struct {
	Key, Value []byte
	Found      bool
}

// Overlay holds the writes that not every replica shows yet. It is safe for concurrent use. A nil Overlay is empty and
// records nothing.
type Overlay struct {
	clock      *clock.Clock
	lagging    bool         // replicas and indexes lag, not only Oldest
	heldOldest atomic.Int32 // the number of active HoldOldest calls
	reads      atomic.Uint64

	mu           sync.RWMutex
	rng          rng
	serial       uint64 // number of commits and retirements
	imageBytes   int    // bytes of all images
	pendingBytes int    // bytes of the images in arrivals
	// arrivals are the committed writes that some replica does not show yet. retired are those that all replicas show,
	// but pinned moments may still have to hide.
	arrivals arrivalHeap
	retired  []*Write
	pins     pins
	orders   map[string]*order
	byKey    chains
	cancel   func() // of the timer that retires writes; nil if it is not set
}

// New returns an empty overlay. The seed determines all randomness. Unless lagging is set, only Oldest lags, and only
// while [Overlay.HoldOldest] is active.
func New(c *clock.Clock, seed uint64, lagging bool) *Overlay {
	o := &Overlay{clock: c, lagging: lagging, rng: rng(seed), orders: map[string]*order{}}
	o.byKey = newChains()
	o.reads.Store(^seed)
	return o
}

// Lagging reports whether replicas and indexes lag.
func (o *Overlay) Lagging() bool { return o != nil && o.lagging }

// Recording reports whether writes must be recorded.
func (o *Overlay) Recording() bool { return o != nil && (o.lagging || o.heldOldest.Load() > 0) }

// HoldOldest makes Oldest lag by at least MinStaleness from now on, until stop was called for every HoldOldest.
func (o *Overlay) HoldOldest() (stop func()) {
	o.heldOldest.Add(1)
	return sync.OnceFunc(func() { o.heldOldest.Add(-1) })
}

// PickReplica returns the replica for an eventually consistent read of a table: one of the three at random.
func (o *Overlay) PickReplica() Replica {
	if !o.Lagging() {
		return Leader
	}
	d := rng(o.reads.Add(random.Step))
	return Replica(d.next() * replicas)
}

// RegionDelay returns how long a write takes to arrive in another region; 0 unless replicas lag.
func (o *Overlay) RegionDelay() time.Duration {
	if !o.Lagging() {
		return 0
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return Region.delay(o.rng.next())
}

// Clear makes every committed write visible to all replicas. Pinned moments keep what they show.
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
	o.freeImages()
}

// scheduleRetirement sets a timer that retires writes if nobody writes.
func (o *Overlay) scheduleRetirement(now time.Time) {
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
	o.scheduleRetirement(now)
}
