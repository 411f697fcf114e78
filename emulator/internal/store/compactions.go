package store

import (
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// grantInterval is how often waiting compactions are checked, as in Pebble's own scheduler.
const grantInterval = 100 * time.Millisecond

// compactions is Pebble's compaction scheduler with a gate. The gate is closed after a failure, when Pebble would retry
// the same compaction without a pause, while the disk has too little space for one, and while compactions rest.
type compactions struct {
	*pebble.ConcurrencyLimitScheduler
	allowed func() bool
	check   func()
	stop    chan struct{}
	stopped chan struct{}
}

// newCompactions returns a scheduler that starts compactions while allowed returns true, and calls check each
// grantInterval. It uses Pebble's scheduler without a timer of its own, because that timer would ignore the gate.
func newCompactions(allowed func() bool, check func()) *compactions {
	return &compactions{
		ConcurrencyLimitScheduler: pebble.NewConcurrencyLimitSchedulerWithNoPeriodicGrantingForTest(),
		allowed:                   allowed,
		check:                     check,
		stop:                      make(chan struct{}),
		stopped:                   make(chan struct{}),
	}
}

// Register implements pebble.CompactionScheduler.
func (c *compactions) Register(goroutines int, db pebble.DBForCompaction) {
	c.ConcurrencyLimitScheduler.Register(goroutines, gatedDB{db, c.allowed})
	go c.run()
}

// Unregister implements pebble.CompactionScheduler.
func (c *compactions) Unregister() {
	close(c.stop)
	<-c.stopped
	c.ConcurrencyLimitScheduler.Unregister()
}

// abandon stops the scheduler of a database that has not opened, which Pebble does not unregister. It does not wait:
// what ended the opening may have left a mutex of the database locked.
func (c *compactions) abandon() { close(c.stop) }

func (c *compactions) run() {
	defer close(c.stopped)
	ticker := time.NewTicker(grantInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			c.check()
			c.grant()
		case <-c.stop:
			return
		}
	}
}

// grant starts the waiting compaction, if there is one and the gate is open.
func (c *compactions) grant() {
	if ok, handle := c.TrySchedule(); ok {
		handle.Done()
	}
}

// gatedDB is a database that may run no compaction while the gate is closed.
type gatedDB struct {
	pebble.DBForCompaction
	allowed func() bool
}

// GetAllowedWithoutPermission implements pebble.DBForCompaction.
func (db gatedDB) GetAllowedWithoutPermission() int {
	if !db.allowed() {
		return 0
	}
	return db.DBForCompaction.GetAllowedWithoutPermission()
}
