package transfer

import (
	"context"
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// maxBulkObject is the largest object of a bulk operation, in bytes (developer guide, "BulkPutItems.BestPractices").
const maxBulkObject = 5 << 30

// runBulk does the work of a bulk operation, and stores the result.
func (p *Extension) runBulk(ctx context.Context, a *engine.Account, who *identity.Principal, begun *Bulk, r *bulkRun) {
	defer p.unregister(begun.ARN)
	x := new(Bulk)
	*x = *begun
	ctx, release := r.begin(ctx)
	defer release()
	err := p.guard(func() error { return p.putItems(ctx, a, who, x, r) })
	p.finish(x, r, err)
	a.ReportConsumption(x.Table, x.consumptionKind(), x.Written.Total())
	if err := saveResult(a, keyspace.TransferBulk, x, jobsOf(a).bulks); err != nil &&
		!errors.Is(err, store.ErrClosed) {
		p.Engine.Log.Error("the result of a bulk operation could not be stored", "bulkOperation", x.ARN, "error", err)
	}
}

// finish sets the result of a bulk operation whose work ended with an error, or nil.
func (p *Extension) finish(x *Bulk, r *bulkRun, err error) {
	counts, stopped := r.end()
	x.bulkCounts = counts
	duration := puttingItems
	switch {
	case stopped && (err == nil || errors.Is(err, context.Canceled)):
		x.fail(p.Engine, cancelledFailure)
		x.Status, duration = cancelled, stoppingBulk
	case err != nil:
		f := p.failureOf(err)
		x.fail(p.Engine, f)
		if duration = failingBulk; f.code == internalFailure {
			return
		}
	case counts.Failed > 0:
		x.Status = completedWithErrors
	default:
		x.Status = completed
	}
	p.delayBulk(x, duration)
}

// delayBulk makes the result appear later, if there are transitional states: not before the operation could have
// written its items at MaxWriteRequestUnits.
func (p *Extension) delayBulk(x *Bulk, d control.DurationRange) {
	now := p.Engine.Now()
	if x.End = max(x.Start, now); !p.Engine.States {
		return
	}
	from := x.Start
	if x.Status == cancelled {
		from = now
	}
	x.End = max(x.End, from+control.RandomDuration(p.Engine, d).Seconds())
	if rate := x.Input.MaxWriteRequestUnits; rate != nil && x.Status != cancelled {
		x.End = max(x.End, x.Start+x.Written.Units/float64(*rate))
	}
}

// putItems puts the items of all objects and reports what it did not put. A report of an operation that a request
// cancelled has what was processed.
func (p *Extension) putItems(ctx context.Context, a *engine.Account, who *identity.Principal, x *Bulk,
	r *bulkRun) error {
	keys, err := p.bulkObjects(ctx, a, who, x, r)
	if err != nil {
		return err
	}
	report, err := p.newBulkReport(ctx, a, who, x)
	if err != nil {
		return err
	}
	defer report.abort()
	err = p.putObjects(ctx, a, x, r, report, keys)
	if err != nil && !r.isCancelled() {
		return err
	}
	counts, _ := r.progress()
	if reportErr := report.finish(&counts); reportErr != nil {
		return reportErr
	}
	return err
}

func (p *Extension) putObjects(ctx context.Context, a *engine.Account, x *Bulk, r *bulkRun, report *bulkReport,
	keys []string) error {
	step, err := newFileStep(ctx, p.Engine)
	if err != nil {
		return err
	}
	defer step.work.Close()
	w := &bulkWriter{Extension: p, ctx: ctx, account: a, job: x, run: r, report: report, fileStep: step}
	for _, key := range keys {
		if err := w.putObject(key); err != nil {
			return err
		}
	}
	return w.flush()
}

// bulkObjects returns the keys of the objects, and counts their bytes. The failures for too many objects and for one
// that is too large are ours: the service's are not recorded.
func (p *Extension) bulkObjects(ctx context.Context, a *engine.Account, who *identity.Principal, x *Bulk,
	r *bulkRun) ([]string, error) {
	in := x.Input.InputS3Configuration
	if err := p.bucketFailure(a, *in.S3Bucket, orDefault(in.S3BucketOwner, a.ID())); err != nil {
		return nil, err
	}
	keys, err := p.Objects.Keys(*in.S3Bucket, orDefault(in.S3KeyPrefix, ""))
	if err != nil {
		return nil, err
	}
	if err := p.authorizeReads(ctx, who, *in.S3Bucket, keys); err != nil {
		return nil, err
	}
	if len(keys) > maxObjects {
		return nil, failure{"ObjectLimitExceeded", "A bulk operation can have at most 50,000 objects."}
	}
	var total int64
	for _, key := range keys {
		size, err := p.Objects.Size(*in.S3Bucket, key)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil: // it was deleted in the meantime; reading it fails
			continue
		case size > maxBulkObject:
			return nil, failure{"ObjectLimitExceeded", "An object of a bulk operation can have at most 5 GB: " + key}
		}
		total += size
	}
	r.update(func(c *bulkCounts) { c.Total = &total })
	return keys, nil
}
