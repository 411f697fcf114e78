package store

import "sync/atomic"

// stopped is added to the count of operations once, by Close; no count of running operations reaches it.
const stopped = 1 << 32

// operations counts what runs, so that Close can refuse newcomers and wait for the rest. Pebble panics when it is used
// during or after its Close. A counter, unlike a sync.RWMutex, lets an operation start another one while Close waits:
// the inner one fails, and nobody blocks.
type operations struct {
	running atomic.Int64
	drained chan struct{}
}

func newOperations() operations { return operations{drained: make(chan struct{}, 1)} }

// enter counts an operation in, or returns false when the store is closed; leave must follow only after true.
func (o *operations) enter() bool {
	if o.running.Add(1) < stopped {
		return true
	}
	o.leave()
	return false
}

func (o *operations) leave() {
	if o.running.Add(-1) == stopped {
		o.signal()
	}
}

// stop refuses new operations and returns a channel that tells when the running ones have ended. It returns false when
// it was called before.
func (o *operations) stop() (drained <-chan struct{}, ok bool) {
	for {
		n := o.running.Load()
		if n >= stopped {
			return nil, false
		}
		if o.running.CompareAndSwap(n, n+stopped) {
			if n == 0 {
				o.signal()
			}
			return o.drained, true
		}
	}
}

// signal wakes stop; a refused newcomer may signal again, which nobody needs to hear.
func (o *operations) signal() {
	select {
	case o.drained <- struct{}{}:
	default:
	}
}
