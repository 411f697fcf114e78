package transfer

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/backup"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// The durations of exports with transitional states, as recorded in 2026-10: of an empty table, of one with items, and
// of an export whose bucket cannot be written (aws-controllers-k8s/dynamodb-controller).
var (
	exportingNothing = control.DurationRange{Min: 125 * time.Second, Max: 155 * time.Second}
	exportingItems   = control.DurationRange{Min: 706 * time.Second, Max: 740 * time.Second}
	failingExport    = control.DurationRange{Min: 5 * time.Second, Max: 16 * time.Second}
)

// minBilledIncrement is the least size that is billed for an incremental export, in bytes
// (aws-controllers-k8s/dynamodb-controller, 2026-10).
const minBilledIncrement = 10_000_000

// runExport does the work of an export, and stores the result.
func (p *Extension) runExport(ctx context.Context, a *engine.Account, who *identity.Principal, begun *Export) {
	x := new(Export)
	*x = *begun
	err := p.guard(func() error { return p.export(ctx, a, who, x) })
	if err != nil {
		f := p.failureOf(err)
		x.Manifest, x.Items, x.Billed = "", 0, 0
		x.fail(p.Engine, f)
		if x.delayResult(p.Engine, failingExport); f.code == internalFailure {
			x.End = x.Start
		}
	}
	kind := telemetry.Exported
	if x.isIncremental() {
		kind = telemetry.ExportedChanges
	}
	a.ReportConsumption(x.Table, kind, x.Billed)
	if err := saveResult(a, keyspace.TransferExport, x, jobsOf(a).exports); err != nil &&
		!errors.Is(err, store.ErrClosed) {
		p.Engine.Log.Error("the result of an export could not be stored", "export", x.ARN, "error", err)
	}
}

// export writes an export's files.
func (p *Extension) export(ctx context.Context, a *engine.Account, who *identity.Principal, x *Export) error {
	if err := p.bucketFailure(a, *x.Input.S3Bucket, orDefault(x.Input.S3BucketOwner, "")); err != nil {
		return err
	}
	f := p.newExportFiles(x)
	defer f.abort()
	if err := p.authorize(ctx, who, "PutObject", f.bucket+"/"+f.folder+"_started"); err != nil {
		return err
	}
	if err := f.putObject(f.folder+"_started", nil); err != nil {
		return err
	}
	write := p.exportItems
	if x.isIncremental() {
		write = p.exportChanges
	}
	for {
		t, err := a.Table(x.Table)
		if err != nil || t.Def.UUID != x.TableID {
			return failure{"TableNotFoundException", "Table not found: " + x.TableARN}
		}
		if err = write(ctx, a, x, t, f); !errors.Is(err, engine.ErrStaleTable) {
			if err != nil {
				return err
			}
			break
		}
	}
	if err := f.finish(); err != nil {
		return err
	}
	x.Items, x.Status, x.Manifest = f.items, completed, f.folder+"manifest-summary.json"
	duration := exportingItems
	if x.Items == 0 {
		duration = exportingNothing
	}
	x.delayResult(p.Engine, duration)
	return f.putManifests(x)
}

// exportItems exports the items of a table, from one snapshot, each partition to a file of its own.
func (p *Extension) exportItems(ctx context.Context, a *engine.Account, x *Export, t *engine.Table,
	f *exportFiles) error {
	x.Billed = t.Stats.Bytes.Load()
	write := func(r *store.Reader, prefix []byte) error {
		return p.exportRange(ctx, r, prefix, a.PartitionBounds(t), f, newRecordWriter(x))
	}
	if x.Input.ExportTime != nil {
		return backup.ViewAt(a, t, timeOf(x.Time).Truncate(time.Second), write)
	}
	return a.Engine.Store.View(func(r *store.Reader) error {
		if err := t.CheckCurrent(); err != nil {
			return err
		}
		return write(r, engine.AppendTablePrefix(nil, t.Def.ID))
	})
}

// exportRange exports the items under a prefix. bounds are the first keys of the partitions, without the prefix.
func (p *Extension) exportRange(ctx context.Context, r *store.Reader, prefix []byte, bounds [][]byte, f *exportFiles,
	w *recordWriter) error {
	step, err := newFileStep(ctx, p.Engine)
	if err != nil {
		return err
	}
	defer step.work.Close()
	it := r.Iter(prefix, store.PrefixEnd(prefix), false)
	defer it.Close()
	partition := -1
	enter := func(n int) error {
		for ; partition < n; partition++ {
			if err := f.next(); err != nil {
				return err
			}
		}
		return nil
	}
	for it.Next() {
		key, value := it.Key()[len(prefix):], it.Value()
		if value == nil { // unreadable; Close returns the error
			break
		}
		n := max(partition, 0)
		for n+1 < len(bounds) && bytes.Compare(key, bounds[n+1]) >= 0 {
			n++
		}
		if err := enter(n); err != nil {
			return err
		}
		if err := f.write(w.item(item.Value(value))); err != nil {
			return err
		}
		if err := step.handled(len(value)); err != nil {
			return err
		}
	}
	if err := it.Close(); err != nil {
		return err
	}
	return enter(len(bounds) - 1)
}
