package expiry

import (
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
)

// retry is the number of seconds after which failed purges are retried.
const retry = 60

// Timer fires on the clock when the first of many entries is due. If Fire panics, the timer fires again after a minute.
// It is safe for concurrent use.
type Timer struct {
	Clock *clock.Clock
	Fire  func()

	mu     sync.Mutex
	due    int64 // in seconds since 1970; 0 if it is not set
	cancel func()
}

// Stop stops the timer.
func (t *Timer) Stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cancel != nil {
		t.cancel()
	}
	t.cancel, t.due = nil, 0
}

// ScheduleAt sets the timer for a second, unless it is set for an earlier one. The second may be in the past. 0 is
// ignored.
func (t *Timer) ScheduleAt(second int64) {
	if second == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.due != 0 && t.due <= second {
		return
	}
	if t.cancel != nil {
		t.cancel()
	}
	t.due, t.cancel = second, t.Clock.At(time.Unix(second, 0), t.fire)
}

// fire calls Fire. A panic propagates to the clock, which reports it.
func (t *Timer) fire() {
	done := false
	defer func() {
		if !done {
			t.Stop()
			t.ScheduleAt(t.Clock.Now().Unix() + retry)
		}
	}()
	t.Fire()
	done = true
}
