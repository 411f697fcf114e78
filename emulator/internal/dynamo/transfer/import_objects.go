package transfer

import (
	"context"
	"errors"
	"io"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// maxObjects is the most objects of an import (AWS, "Import format quotas and validation"). The failure is ours: the
// service's is not recorded.
const maxObjects = 50_000

// maxLogged is the number of errors of an import that are logged.
const maxLogged = 100

// loader imports objects into a table that requests do not see yet.
type loader struct {
	*Extension
	ctx     context.Context
	job     *Import
	decoder itemDecoder
	work    *budget.Budget

	batch []item.Value // items to write
	read  int64        // what the step has read, in bytes, with itemCost
}

func newLoader(ctx context.Context, p *Extension, x *Import, t *engine.Table) *loader {
	return &loader{Extension: p, ctx: ctx, job: x, decoder: itemDecoder{table: t},
		work: p.Engine.NewUnlimitedBudget(ctx)}
}

// load imports the objects with these keys, in their order.
func (l *loader) load(keys []string) error {
	if len(keys) > maxObjects {
		return failure{"ObjectLimitExceeded", "An import can have at most 50,000 objects."}
	}
	if err := l.work.BeginPaced(); err != nil {
		return err
	}
	for _, key := range keys {
		if err := l.loadObject(key); err != nil {
			return err
		}
	}
	return l.flush()
}

// loadObject imports an object. If its content cannot be read, the items before that place are imported, and the rest
// counts as one error (AWS, "Import format quotas and validation"; scylladb/scylladb, test_import.py, 2026-09).
func (l *loader) loadObject(key string) error {
	object, err := l.Objects.Open(*l.job.Input.S3BucketSource.S3Bucket, key)
	if err != nil {
		return l.reject(key, 0, err)
	}
	defer object.Close()
	content, err := decompress(object, orDefault(l.job.Input.InputCompressionType, uncompressed))
	if err != nil {
		return l.reject(key, 0, err)
	}
	defer content.Close()
	lines := newLineReader(&workReader{content, l.ctx, l.work})
	return l.loadItems(key, lines, newRecords(&l.job.Input, l.decoder.table, lines))
}

// loadItems imports the items of an object.
func (l *loader) loadItems(key string, lines *lineReader, from records) error {
	for n, size := 0, int64(0); ; n++ {
		record, err := from.next()
		l.job.Bytes += lines.size - size
		l.read += lines.size - size + itemCost
		size = lines.size
		var it item.Value
		if err == nil {
			it, err = l.decoder.decode(record)
		}
		var invalid *invalidItem
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &invalid):
			err = l.reject(key, n, err)
		case err != nil:
			return l.reject(key, n, err)
		default:
			l.job.Imported++
			l.batch = append(l.batch, it)
		}
		if err == nil && l.read >= engine.StepBytes {
			err = l.nextStep()
		}
		if err != nil {
			return err
		}
	}
}

// reject counts an item that is not imported, or the rest of an object. Errors: that of the context.
func (l *loader) reject(key string, index int, cause error) error {
	if err := l.ctx.Err(); err != nil {
		return err
	}
	if l.job.Errors++; l.job.Errors <= maxLogged {
		l.Engine.Log.Warn("an import skips an item, or the rest of an object", "import", l.job.ARN, "bucket",
			*l.job.Input.S3BucketSource.S3Bucket, "key", key, "itemIndex", index, "error", cause)
	}
	return nil
}

// nextStep writes the batch, and begins the next step after a rest.
func (l *loader) nextStep() error {
	if err := l.flush(); err != nil {
		return err
	}
	l.read = 0
	return l.Engine.Rest(l.work)
}

// flush writes the batch. Of items with the same key, the last one stays; the service's order is random.
func (l *loader) flush() error {
	if err := l.ctx.Err(); err != nil {
		return err
	}
	t := l.decoder.table
	err := l.Engine.Store.Update(store.Latch(engine.AppendTablePrefix(nil, t.Def.ID)), func(tx *store.Tx) error {
		for _, it := range l.batch {
			if err := tx.Set(t.Key(it), it.KeepSize()); err != nil {
				return err
			}
		}
		return nil
	})
	clear(l.batch)
	l.batch = l.batch[:0]
	return err
}

// workReader takes turns with other work while it reads. It ends with the error of the context.
type workReader struct {
	io.Reader
	ctx  context.Context
	work *budget.Budget
}

func (r *workReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.Reader.Read(p)
	_ = r.work.Step(64 + n/4) // the budget has no limit
	return n, err
}
