package store

import (
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// condition holds whether the store still works.
type condition struct {
	logger *slog.Logger
	// frozen is set before Pebble learns of a write that the disk refused. From then on nothing that Pebble writes
	// reaches the disk, so that the folder stays as a crash at this moment would leave it.
	frozen  atomic.Bool
	failure atomic.Pointer[Failure]
	failed  chan struct{} // closed after failure is set
	closing atomic.Bool   // background failures no longer matter
	// ready is set once the database of a folder has opened. Pebble does not wait for compactions when it gives up an
	// opening, so none may begin until then.
	ready   atomic.Bool
	jobs    jobs
	tables  tableBytes
	overlap overlap
	pace    pace
	// unanswered counts reads in the background that the disk has not answered, since the last compaction or flush.
	unanswered atomic.Int64
	names      *Names // names the contents of damaged files; nil: unknown
	// locating is set once a file is known to be damaged, while its keys are being looked up.
	locating atomic.Bool
	locate   func(f *Failure, number uint64) // completes a Failure of a table; may wait for the database
}

func newCondition(logger *slog.Logger) *condition {
	return &condition{logger: logger, failed: make(chan struct{})}
}

// healthy reports whether no file is known to be damaged and the disk has refused no write.
func (c *condition) healthy() bool { return c.failure.Load() == nil && !c.locating.Load() }

// fail records and logs the first failure. After damage, it also records and logs the first write that the disk
// refuses: damage leaves everything else as it was, but a refused write loses updates that readers have seen.
func (c *condition) fail(f *Failure) {
	if f.FirstKey != nil && c.names != nil {
		f.Holds = c.names.In(f.FirstKey, f.LastKey)
	}
	first := c.failure.CompareAndSwap(nil, f)
	known := c.failure.Load()
	worse := known.Damaged && !f.Damaged && c.failure.CompareAndSwap(known, f)
	if !f.Damaged {
		c.frozen.Store(true) // after failure: a reader of frozen finds the cause
	}
	if first || worse {
		c.logger.Error(f.Error())
	}
	if first {
		close(c.failed)
	}
}

// logSlow logs that a disk operation takes long.
func (c *condition) logSlow(who, op, name string) {
	c.logger.Warn("the disk is slow: "+who+" for it", "operation", op, "file", name, "waiting", slowDisk)
}

// closeLimit is how long Close waits once the store has failed.
const closeLimit = 5 * time.Second

// wait waits for done to be closed or sent to and returns nil. If that takes longer than closeLimit after a failure, it
// returns the failure.
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

// listener returns Pebble's event listener, for errors in the background.
func (c *condition) listener() *pebble.EventListener {
	return &pebble.EventListener{
		DataCorruption:  c.corrupt,
		BackgroundError: c.background,
		FlushBegin:      func(pebble.FlushInfo) { c.jobs.count(1) },
		CompactionBegin: func(pebble.CompactionInfo) { c.jobs.count(1) },
		FlushEnd: func(info pebble.FlushInfo) {
			c.jobs.count(-1)
			c.tables.flushed(info)
			c.overlap.changed()
			c.pace.flushEnded()
			c.ended(info.Err)
		},
		CompactionEnd: func(info pebble.CompactionInfo) {
			c.jobs.count(-1)
			c.tables.compacted(info)
			c.overlap.changed()
			c.pace.compactionEnded(info.TotalDuration)
			c.ended(info.Err)
		},
	}
}

// corrupt handles a table with a wrong checksum, found by a read or by a compaction.
func (c *condition) corrupt(info pebble.DataCorruptionInfo) {
	c.fail(&Failure{
		Damaged: true, Path: info.Path, Err: errors.New(shortMessage(info.Details)),
		FirstKey: info.Bounds.Start, LastKey: info.Bounds.End.Key,
	})
}

// maxUnanswered is how many reads in the background in a row may take stallTime before their table counts as damaged. A
// disk that was suspended is no damage.
const maxUnanswered = 3

// ended notes the end of a flush or compaction.
func (c *condition) ended(err error) {
	if err == nil {
		c.unanswered.Store(0)
	}
}

// background handles a failed flush or compaction. Pebble calls it with its mutexes held, and would retry forever.
func (c *condition) background(err error) {
	if c.frozen.Load() || c.closing.Load() || errors.Is(err, errNoSpaceToCompact) {
		c.logger.Debug("pebble: a job in the background failed", "error", err)
		return
	}
	if errors.Is(err, errNotAnswered) && c.unanswered.Add(1) < maxUnanswered {
		c.pace.failed()
		c.logger.Warn("the disk has not answered a read in the background, which is tried again", "error", shortMessage(err))
		return
	}
	if !c.healthy() || !c.locating.CompareAndSwap(false, true) {
		return
	}
	f, number := damageFrom(err)
	if c.locate == nil || f.FirstKey != nil {
		c.fail(f)
		return
	}
	go func() {
		c.locate(f, number)
		c.fail(f)
	}()
}

// maxCause is the length in bytes to which Pebble's text is shortened in a message.
const maxCause = 160

func shortMessage(err error) string {
	text := strings.Join(strings.Fields(err.Error()), " ")
	return text[:min(len(text), maxCause)]
}

// Err returns the [*Failure] because of which the store accepts no writes, or nil. It does not report a full disk: see
// [Store.Space].
func (s *Store) Err() error { return s.condition.err() }

// Failed returns a channel that is closed when the store fails; Err then returns the failure.
func (s *Store) Failed() <-chan struct{} { return s.condition.failed }

// Space returns the free space of the folder's disk; ok is false in memory, and without [Options.MinFree].
func (s *Store) Space() (space Space, ok bool) {
	if s.space == nil {
		return Space{}, false
	}
	return *s.space.space.Load(), true
}

// Readable returns the [*Failure] because of which reads are refused, or nil. After a failure of the disk, an update
// that was not acknowledged may be visible although it will be gone when the folder is opened again. If there is one,
// reads are refused.
func (s *Store) Readable() error {
	if s.condition.frozen.Load() && s.unsynced.Load() > 0 {
		return s.condition.err()
	}
	return nil
}

// checkWritable returns why an update cannot be committed now, or nil.
func (s *Store) checkWritable() error {
	if err := s.condition.err(); err != nil {
		return err
	}
	if s.space.isFull() {
		return s.space.refusal()
	}
	return nil
}

// explain replaces Pebble's error about a damaged file by a [*Failure], which stops updates from then on. An error
// that names no file may be about data from elsewhere, such as a snapshot, and stops nothing.
func (s *Store) explain(err error) error {
	if err == nil || !pebble.IsCorruptionError(err) {
		return err
	}
	var known *Failure
	if errors.As(err, &known) {
		return err
	}
	f, number := damageFrom(err)
	if f.Path == noFile && number == 0 && s.condition.healthy() {
		return err
	}
	if f.FirstKey == nil && s.durable {
		s.locate(f, number)
	}
	s.condition.fail(f)
	return f
}
