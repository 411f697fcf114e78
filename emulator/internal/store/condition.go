package store

import (
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// condition is whether the store still works.
type condition struct {
	logger *slog.Logger
	// frozen is set before Pebble hears of a write that the disk refused: from then on nothing of what Pebble writes
	// comes to the disk, so that the folder stays as a crash at this moment would leave it.
	frozen  atomic.Bool
	failure atomic.Pointer[Failure]
	failed  chan struct{} // closed after failure is set
	closing atomic.Bool   // what fails in the background no longer matters
	jobs    jobs
	names   *Names // of what lies in damaged files; nil: they are not known
	// locating is set once a file is known to be damaged whose keys are being looked up.
	locating atomic.Bool
	locate   func(f *Failure, number uint64) // completes a Failure of a table; it may wait for the database. nil: it cannot be done
}

func newCondition(logger *slog.Logger) *condition {
	return &condition{logger: logger, failed: make(chan struct{})}
}

// sound reports whether no file is known to be damaged and the disk has refused nothing.
func (c *condition) sound() bool { return c.failure.Load() == nil && !c.locating.Load() }

// fail records the first failure and logs it.
func (c *condition) fail(f *Failure) {
	if f.FirstKey != nil && c.names != nil {
		f.Holds = c.names.In(f.FirstKey, f.LastKey)
	}
	first := c.failure.CompareAndSwap(nil, f)
	if !f.Damaged {
		c.frozen.Store(true) // after failure: who sees it frozen finds the cause
	}
	if first {
		c.logger.Error(f.Error())
		close(c.failed)
	}
}

// tellSlow logs that an operation of the disk takes long.
func (c *condition) tellSlow(who, op, name string) {
	c.logger.Warn("the disk is slow: "+who+" for it", "operation", op, "file", name, "waiting", slowDisk)
}

// closeLimit is how long Close waits once the store has failed.
const closeLimit = 5 * time.Second

// wait returns nil when done is closed or sent to, and the failure when that takes longer than closeLimit after one.
func (c *condition) wait(done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	case <-c.failed:
	}
	select {
	case <-done:
		return nil
	case <-time.After(closeLimit):
		return c.err()
	}
}

// err returns the failure, or nil.
func (c *condition) err() error {
	if f := c.failure.Load(); f != nil {
		return f
	}
	return nil
}

// listener hears from Pebble of what it meets in the background.
func (c *condition) listener() *pebble.EventListener {
	return c.jobs.listen(&pebble.EventListener{DataCorruption: c.corrupt, BackgroundError: c.background})
}

// corrupt is told of a table whose checksum is wrong, by a read or by a compaction.
func (c *condition) corrupt(info pebble.DataCorruptionInfo) {
	c.fail(&Failure{
		Damaged: true, Path: info.Path, Err: errors.New(shortened(info.Details)),
		FirstKey: info.Bounds.Start, LastKey: info.Bounds.End.Key,
	})
}

// background is told of a flush or a compaction that failed, while Pebble's mutexes are held. Pebble would try it again
// for ever.
func (c *condition) background(err error) {
	if c.frozen.Load() || c.closing.Load() || errors.Is(err, errNoRoom) {
		c.logger.Debug("pebble: a job in the background failed", "error", err)
		return
	}
	if !c.sound() || !c.locating.CompareAndSwap(false, true) {
		return
	}
	f, number := damageBy(err)
	if c.locate == nil || f.FirstKey != nil {
		c.fail(f)
		return
	}
	go func() {
		c.locate(f, number)
		c.fail(f)
	}()
}

// maxCause is the length in bytes of Pebble's own words in a message.
const maxCause = 160

func shortened(err error) string {
	text := strings.Join(strings.Fields(err.Error()), " ")
	return text[:min(len(text), maxCause)]
}

// Err returns the [*Failure] for which the store accepts no writes, or nil. It does not tell of a full disk: see
// [Store.Space].
func (s *Store) Err() error { return s.condition.err() }

// Failed returns a channel that is closed when Err begins to return an error.
func (s *Store) Failed() <-chan struct{} { return s.condition.failed }

// Space returns the free space of the folder's disk; ok is false in memory, and without [Options.MinFree].
func (s *Store) Space() (space Space, ok bool) {
	if s.space == nil {
		return Space{}, false
	}
	return *s.space.space.Load(), true
}

// Readable returns the [*Failure] for which reads are refused, or nil. After a failure of the disk an update that was
// not acknowledged may be visible and will be gone when the folder is opened again. Where there is one, nothing is read
// any more.
func (s *Store) Readable() error {
	if s.condition.frozen.Load() && s.unsynced.Load() > 0 {
		return s.condition.err()
	}
	return nil
}

// accepts returns why an update cannot be committed now, or nil.
func (s *Store) accepts() error {
	if err := s.condition.err(); err != nil {
		return err
	}
	if s.space.isFull() {
		return s.space.refusal()
	}
	return nil
}

// explained is a [*Failure] in place of Pebble's words about a damaged file, which stops updates from then on. What
// names no file may be about what came from elsewhere, such as a snapshot, and stops nothing.
func (s *Store) explained(err error) error {
	if err == nil || !pebble.IsCorruptionError(err) {
		return err
	}
	var known *Failure
	if errors.As(err, &known) {
		return err
	}
	f, number := damageBy(err)
	if f.Path == noFile && number == 0 && s.condition.sound() {
		return err
	}
	if f.FirstKey == nil && s.durable {
		s.locate(f, number)
	}
	s.condition.fail(f)
	return f
}
