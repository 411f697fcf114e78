package bulkload

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"runtime/debug"
	"sync"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/datafile"
)

// Target writes items. It is safe for concurrent use.
type Target interface {
	// Key returns the identity of a record's item. Records with the same key are written in the order of the file. Errors:
	// the reason why the target cannot have such an item.
	Key(record *datafile.Record) (string, error)
	// BatchSize is how many records Write takes at most.
	BatchSize() int
	// Write writes records of different keys. Errors: *Refused if the content of a record is the reason and nothing was
	// written; any other error ends the load.
	Write(ctx context.Context, batch []datafile.Record) (Result, error)
}

// Result is the outcome of a Write.
type Result struct {
	Throttled []datafile.Record // not written; to be written later
	Cost      float64           // capacity units or request units
}

// Refused is the error of a record that the database does not accept.
type Refused struct{ Reason string }

// Error returns the reason.
func (e *Refused) Error() string { return e.Reason }

// Counts is the progress of a load.
type Counts struct {
	Written   int64   // items
	Deleted   int64   // items, of files that list deletions
	Invalid   int64   // records that are not items, or that the database refused
	Throttled int64   // writes that were repeated
	Cost      float64 // capacity units or request units
}

// Options holds how to load.
type Options struct {
	Workers int // concurrent requests. Default: 4
	// Invalid is called for each invalid record, one at a time. An error ends the load.
	Invalid func(*datafile.Invalid) error
	// Progress is called after each request, one at a time. Optional.
	Progress func(Counts)
	// Pause waits before a throttled write is repeated. Default: a timer.
	Pause func(context.Context, time.Duration) error
}

// grace is how long requests that are under way may take after the caller has stopped the load.
const grace = 5 * time.Second

// load is a load that is running.
type load struct {
	target  Target
	options Options
	ctx     context.Context // ends when the load is to stop
	stop    context.CancelCauseFunc
	writing context.Context // of requests: outlives ctx by the grace period, so that the counts are exact

	mu     sync.Mutex
	counts Counts
}

// Load writes all records that next returns, until io.EOF, and returns what was written. When ctx ends, it stops
// reading, completes the requests that are under way, and returns ctx's error. It panics if next or the target does.
func Load(ctx context.Context, next func() (datafile.Record, error), target Target, o Options) (Counts, error) {
	if o.Workers <= 0 {
		o.Workers = 4
	}
	l := &load{target: target, options: o}
	l.ctx, l.stop = context.WithCancelCause(ctx)
	defer l.stop(nil)
	writing, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	l.writing = writing
	defer context.AfterFunc(l.ctx, func() { time.AfterFunc(grace, end) })()

	workers := make([]chan entry, o.Workers)
	var running sync.WaitGroup
	for i := range workers {
		workers[i] = make(chan entry, 1)
		running.Go(func() { l.work(workers[i]) })
	}
	readErr := l.dispatch(l.readAhead(next), workers)
	for _, w := range workers {
		close(w)
	}
	running.Wait()
	if cause := context.Cause(l.ctx); cause != nil {
		readErr = cause
	}
	var p *panicked
	if errors.As(readErr, &p) {
		panic(p.Error())
	}
	return l.counts, readErr
}

// panicked is the cause of a load that stopped because one of its goroutines panicked.
type panicked struct {
	reason any
	stack  []byte
}

// Error returns the panic's value and the stack of its goroutine.
func (p *panicked) Error() string { return fmt.Sprintf("%v\n\n%s", p.reason, p.stack) }

// stopAfterPanic stops the load if this goroutine panics. Load panics in its place: its caller can recover, and nobody
// can in a goroutine of the load.
func (l *load) stopAfterPanic() {
	if reason := recover(); reason != nil {
		l.stop(&panicked{reason, debug.Stack()})
	}
}

// entry is a record with its key.
type entry struct {
	datafile.Record
	key string
}

// read is what next returned.
type read struct {
	record datafile.Record
	err    error
}

// readAhead reads in another goroutine, because reading standard input cannot be interrupted.
func (l *load) readAhead(next func() (datafile.Record, error)) <-chan read {
	records := make(chan read)
	go func() {
		defer close(records)
		defer l.stopAfterPanic()
		for {
			record, err := next()
			select {
			case records <- read{record, err}:
			case <-l.ctx.Done():
				return
			}
			var invalid *datafile.Invalid
			if err != nil && !errors.As(err, &invalid) {
				return
			}
		}
	}()
	return records
}

// dispatch gives each record to the worker of its key.
func (l *load) dispatch(records <-chan read, workers []chan entry) error {
	seed := maphash.MakeSeed()
	for {
		var got read
		open := false // records is closed without a last one when the load stops
		select {
		case <-l.ctx.Done():
		case got, open = <-records:
		}
		if !open {
			return nil // Load returns the cause
		}
		var invalid *datafile.Invalid
		switch {
		case errors.Is(got.err, io.EOF):
			return nil
		case errors.As(got.err, &invalid):
		case got.err != nil:
			return got.err
		default:
			key, err := l.target.Key(&got.record)
			if err == nil {
				select {
				case workers[maphash.String(seed, key)%uint64(len(workers))] <- entry{got.record, key}:
				case <-l.ctx.Done():
				}
				continue
			}
			invalid = got.record.Invalid(err.Error())
		}
		if err := l.invalid(invalid); err != nil {
			return err
		}
	}
}

// invalid counts an invalid record and reports it.
func (l *load) invalid(record *datafile.Invalid) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts.Invalid++
	return l.options.Invalid(record)
}

// add adds to the counts.
func (l *load) add(c Counts) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts.Written += c.Written
	l.counts.Deleted += c.Deleted
	l.counts.Throttled += c.Throttled
	l.counts.Cost += c.Cost
	if l.options.Progress != nil {
		l.options.Progress(l.counts)
	}
}
