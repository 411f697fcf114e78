package store

import "sync/atomic"

// stopped is added to the count of operations once, by Close. It is greater than any number of running operations.
const stopped = 1 << 32

// operations counts running operations, so that Close can refuse new ones and wait for the rest. Pebble panics if it is
// used during or after its Close. Unlike a sync.RWMutex, a counter lets an operation start another one while Close
// waits: the inner one fails, and there is no deadlock.
type operations struct {
	running atomic.Int64
	drained chan struct{}
}

func newOperations() operations { return operations{drained: make(chan struct{}, 1)} }

// enter starts an operation, or returns false if the store is closed. leave must be called only after true.
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

// busy reports whether an operation runs and Close was not called.
func (o *operations) busy() bool {
	n := o.running.Load()
	return n > 0 && n < stopped
}

// stop refuses new operations and returns a channel that receives when the running ones have ended. ok is false if it
// was called before.
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

// signal wakes stop. A refused operation may signal again, which is ignored.
func (o *operations) signal() {
	select {
	case o.drained <- struct{}{}:
	default:
	}
}
