package transfer

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/data"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// maxBulkBatch is the most items that a bulk operation writes in one transaction.
const maxBulkBatch = 100

// bulkWriter puts the items of objects into a table that is in use.
type bulkWriter struct {
	*Extension
	*fileStep
	ctx     context.Context
	account *engine.Account
	job     *Bulk
	run     *bulkRun
	report  *bulkReport
	reader  data.BulkPutReader

	batch     []bulkPut
	keys      map[string]bool // of the batch
	batchSize int             // bytes of its items
}

// bulkPut is a put of a record.
type bulkPut struct {
	*data.BulkPut
	at     recordOf
	change *engine.Change
}

// putObject puts the items of an object. If its content cannot be read, the items before that place are put, and the
// rest counts as one item that failed.
func (w *bulkWriter) putObject(key string) error {
	in := w.job.Input.InputS3Configuration
	object, err := w.Objects.Open(*in.S3Bucket, key)
	if err != nil {
		return w.reject(recordOf{key, 0}, nil, err)
	}
	defer object.Close()
	counted := &bulkInput{&workReader{object, w.ctx, w.work}, w.run}
	content, err := decompress(counted, orDefault(in.InputCompressionType, uncompressed))
	if err != nil {
		return w.reject(recordOf{key, 0}, nil, err)
	}
	defer content.Close()
	lines := newLineReader(&workReader{content, w.ctx, w.work})
	return w.putRecords(key, newJSONRecords(*in.InputFormat, lines))
}

// bulkInput counts the bytes of the objects that are read.
type bulkInput struct {
	io.Reader
	run *bulkRun
}

func (r *bulkInput) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.run.update(func(c *bulkCounts) { c.Read += int64(n) })
	return n, err
}

// putRecords puts the items of an object. A record that is not an item ends it.
func (w *bulkWriter) putRecords(key string, from records) error {
	for n := 0; ; n++ {
		at := recordOf{key, n}
		record, err := from.next()
		var put *data.BulkPut
		if err == nil {
			put, err = w.reader.Read(record)
		}
		switch {
		case err == io.EOF:
			return nil
		case err == nil:
			err = w.add(bulkPut{BulkPut: put, at: at})
		case isInvalidItem(err):
			err = w.reject(at, nil, err)
		default:
			return w.reject(at, nil, err)
		}
		if err == nil {
			err = w.handled(len(record))
		}
		if err != nil {
			return err
		}
	}
}

// isInvalidItem reports whether err is about an item that the table cannot have, and not about a record that is none.
func isInvalidItem(err error) bool {
	var invalid *invalidItem
	var refused *wire.Error
	return errors.As(err, &invalid) || errors.As(err, &refused) && refused.Name() == "ValidationException"
}

// messageOf returns the text of an error in a report.
func messageOf(err error) string {
	var refused *wire.Error
	if errors.As(err, &refused) && refused.Message != "" {
		return refused.Message
	}
	return err.Error()
}

// reject counts and reports a record that is not put, or the rest of an object. Errors: that of the context, those of
// the output bucket.
func (w *bulkWriter) reject(at recordOf, it item.Value, cause error) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	w.run.update(func(c *bulkCounts) { c.Items, c.Failed = c.Items+1, c.Failed+1 })
	return w.report.addError(at, it, cause)
}

// prepare sets the change of a put. valid is false if the table cannot have the item, which is then rejected.
func (w *bulkWriter) prepare(p *bulkPut) (valid bool, err error) {
	t, err := w.account.Table(w.job.Table)
	if err != nil {
		return false, err
	}
	if t.Def.UUID != w.job.TableID { // another one of the same name
		return false, wire.TableNotFound()
	}
	if p.change, err = p.Change(t); err != nil {
		return false, w.reject(p.at, p.Item, err)
	}
	p.change.Author = w.run.author
	return true, nil
}

// add adds a put to the batch, whose items are different. One that may fail or have to wait is applied alone.
func (w *bulkWriter) add(p bulkPut) error {
	valid, err := w.prepare(&p)
	if !valid {
		return err
	}
	alone := p.IsConditional() || w.Engine.InFlight != nil
	if alone || w.keys[string(p.change.Key)] {
		if err := w.flush(); err != nil {
			return err
		}
	}
	if alone {
		return w.putAlone(p)
	}
	if w.keys == nil {
		w.keys = map[string]bool{}
	}
	w.keys[string(p.change.Key)] = true
	w.batch, w.batchSize = append(w.batch, p), w.batchSize+len(p.Item)
	if len(w.batch) < maxBulkBatch && w.batchSize < engine.StepBytes {
		return nil
	}
	return w.flush()
}

// flush writes the batch.
func (w *bulkWriter) flush() error {
	for {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		changes := make([]*engine.Change, len(w.batch))
		for i, p := range w.batch {
			changes[i] = p.change
		}
		err := w.Engine.ApplyAll(changes)
		if errors.Is(err, engine.ErrStaleTable) {
			if err := w.prepareAgain(); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		w.count(changes)
		clear(w.batch)
		clear(w.keys)
		w.batch, w.batchSize = w.batch[:0], 0
		return nil
	}
}

// prepareAgain prepares the batch for a table that has changed.
func (w *bulkWriter) prepareAgain() error {
	left := w.batch[:0]
	for _, p := range w.batch {
		valid, err := w.prepare(&p)
		if err != nil {
			return err
		}
		if valid {
			left = append(left, p)
		}
	}
	w.batch = left
	return nil
}

// conflictWait is how long a put waits for a transaction that uses its item, by the machine's clock.
const conflictWait = 5 * time.Millisecond

// putAlone writes one item.
func (w *bulkWriter) putAlone(p bulkPut) error {
	for {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		err := w.Engine.Apply(p.change)
		var refused *wire.Error
		switch {
		case err == nil:
			w.count([]*engine.Change{p.change})
			return nil
		case errors.Is(err, engine.ErrStaleTable):
			if valid, err := w.prepare(&p); !valid {
				return err
			}
		case data.IsConflict(err):
			if err := w.wait(conflictWait); err != nil {
				return err
			}
		case errors.As(err, &refused) && refused.Name() == wire.ConditionalCheckFailed:
			w.run.update(func(c *bulkCounts) { c.Items, c.Unmatched = c.Items+1, c.Unmatched+1 })
			return w.report.addUnmatched(p.at, p.Item, refused.Item)
		case isInvalidItem(err):
			return w.reject(p.at, p.Item, err)
		default:
			return err
		}
	}
}

// wait waits for a time, in which other work may run. Errors: that of the context.
func (w *bulkWriter) wait(d time.Duration) error {
	w.work.EndPaced(false)
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-w.ctx.Done():
	}
	return w.work.BeginPaced()
}

// count counts items that were written.
func (w *bulkWriter) count(changes []*engine.Change) {
	w.run.update(func(c *bulkCounts) {
		c.Items += int64(len(changes))
		for _, change := range changes {
			c.Written.Add(change)
		}
	})
}
