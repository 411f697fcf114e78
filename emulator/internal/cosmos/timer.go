package cosmos

import (
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
)

// timer is something that falls due, on the emulator's clock, whenever the first of many has.
type timer struct {
	clock *clock.Clock
	fire  func()

	mu     sync.Mutex
	due    int64 // in seconds since 1970; 0 where it is not set
	cancel func()
}

// stop unsets it.
func (t *timer) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cancel != nil {
		t.cancel()
	}
	t.cancel, t.due = nil, 0
}

// notice sets it for a second that is earlier than the one it is set for. 0 is none.
func (t *timer) notice(second int64) {
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
	t.due, t.cancel = second, t.clock.At(time.Unix(second, 0), t.fire)
}
