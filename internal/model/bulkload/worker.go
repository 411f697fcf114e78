package bulkload

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/tabletop-db/tabletop/internal/model/datafile"
	"github.com/tabletop-db/tabletop/internal/util/pause"
)

// maxBatchBytes is the size of a batch's records in the file, after which it is written.
const maxBatchBytes = 4 << 20

// work writes the records of one worker in batches, until there are no more or the load stops.
func (l *load) work(entries <-chan entry) {
	defer l.stopAfterPanic()
	var batch []datafile.Record
	keys, bytes := map[string]bool{}, 0
	flush := func() {
		l.write(batch)
		batch, bytes = nil, 0
		clear(keys)
	}
	for e := range entries {
		if keys[e.key] || len(batch) >= l.target.BatchSize() || bytes+len(e.Raw) > maxBatchBytes {
			flush()
		}
		batch, bytes = append(batch, e.Record), bytes+len(e.Raw)
		keys[e.key] = true
	}
	flush()
}

// The times between two attempts to write what was throttled: they double, and are random, so that workers do not write
// at the same moment.
const (
	firstPause  = 50 * time.Millisecond
	maxPause    = 5 * time.Second
	maxAttempts = 25 // in a row without one write: about two minutes
)

var errThrottled = errors.New("the database throttles all writes: raise its capacity, or use fewer workers")

// write writes a batch, and again what was throttled. It does nothing once the load stops.
func (l *load) write(batch []datafile.Record) {
	for attempt := 0; len(batch) > 0 && l.ctx.Err() == nil; attempt++ {
		result, err := l.target.Write(l.writing, batch)
		var refused *Refused
		switch {
		case errors.As(err, &refused):
			l.writeEach(batch, refused)
			return
		case err != nil:
			l.stop(err)
			return
		}
		l.addWritten(batch, result)
		if len(result.Throttled) < len(batch) {
			attempt = 0
		}
		batch = result.Throttled
		if len(batch) == 0 {
			return
		}
		if attempt == maxAttempts {
			l.stop(errThrottled)
			return
		}
		_ = l.pause(l.ctx, backoff(attempt)) // an error ends the loop
	}
}

// writeEach writes the records of a refused batch one by one, to find those that the database refuses.
func (l *load) writeEach(batch []datafile.Record, refused *Refused) {
	if len(batch) == 1 {
		if err := l.invalid(batch[0].Invalid(refused.Reason)); err != nil {
			l.stop(err)
		}
		return
	}
	for i := range batch {
		l.write(batch[i : i+1])
	}
}

func (l *load) addWritten(batch []datafile.Record, result Result) {
	added := Counts{Cost: result.Cost, Throttled: int64(len(result.Throttled))}
	for i := range batch {
		if batch[i].Delete {
			added.Deleted++
		} else {
			added.Written++
		}
	}
	for i := range result.Throttled {
		if result.Throttled[i].Delete {
			added.Deleted--
		} else {
			added.Written--
		}
	}
	l.add(added)
}

func (l *load) pause(ctx context.Context, d time.Duration) error {
	if l.options.Pause != nil {
		return l.options.Pause(ctx, d)
	}
	return pause.For(ctx, d)
}

// backoff returns a random time between half and all of a limit that doubles with each attempt.
func backoff(attempt int) time.Duration {
	limit := maxPause
	if attempt < 8 {
		limit = min(maxPause, firstPause<<attempt)
	}
	return limit/2 + rand.N(limit/2)
}
