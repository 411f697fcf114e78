package cli

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/internal/app/cli/emulatorcmd"
)

// jobClock is the clock of a job: that of an emulator, or that of this machine. It is safe for concurrent use.
type jobClock struct {
	endpoint string // of the emulator's DynamoDB; empty: the clock of this machine

	mu     sync.Mutex // guards what follows
	shown  shownClock // by the emulator, at the last reading
	readAt time.Time
}

// shownClock is the clock that an emulator shows.
type shownClock struct {
	Now    time.Time
	Frozen bool
	Speed  float64
}

// databaseClock returns the clock of the emulator at endpoint, or the machine's clock if there is no emulator.
func databaseClock(ctx context.Context, endpoint string) *jobClock {
	clock, err := emulatorClock(ctx, endpoint)
	if err != nil {
		return &jobClock{}
	}
	return clock
}

// emulatorClock returns the clock of the emulator at endpoint.
func emulatorClock(ctx context.Context, endpoint string) (*jobClock, error) {
	c := &jobClock{endpoint: endpoint}
	return c, c.read(ctx)
}

// read reads the emulator's clock. A clock that is still stopped at the same time is not set back: see now.
func (c *jobClock) read(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	var shown shownClock
	emulator := emulatorcmd.AdminFlags{Endpoint: c.endpoint}
	if err := emulator.Call(ctx, "GET", "/clock", nil, &shown); err != nil || shown.Now.IsZero() {
		return fmt.Errorf("cannot read the clock of an emulator at %q", c.endpoint)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !shown.Frozen || !c.shown.Frozen || !shown.Now.Equal(c.shown.Now) {
		c.shown, c.readAt = shown, time.Now()
	}
	return nil
}

// follow reads the emulator's clock again, which may have been moved; if it cannot be read, the clock continues.
func (c *jobClock) follow(ctx context.Context) {
	if c.endpoint != "" {
		_ = c.read(ctx)
	}
}

// now returns the emulator's time, as of the last reading and its speed. It also advances while the emulator's clock is
// stopped, because leases have to expire.
func (c *jobClock) now() time.Time {
	if c.endpoint == "" {
		return time.Now()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	elapsed := time.Since(c.readAt)
	if !c.shown.Frozen && c.shown.Speed > 0 {
		elapsed = time.Duration(float64(elapsed) * c.shown.Speed)
	}
	return c.shown.Now.Add(elapsed)
}
