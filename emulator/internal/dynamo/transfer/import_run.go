package transfer

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/backup"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/identity"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// The durations of imports of a few items with transitional states, as recorded in 2026-10
// (aws-controllers-k8s/dynamodb-controller) and in AWS's documentation of 2022: the whole; until the table can be seen;
// from when the table is ACTIVE until the import is done; and the whole without a bucket.
var (
	importing     = control.DurationRange{Min: 90 * time.Second, Max: 175 * time.Second}
	hidingTable   = control.DurationRange{Min: 24 * time.Second, Max: 31 * time.Second}
	closingImport = control.DurationRange{Max: 6 * time.Second}
	failingImport = control.DurationRange{Min: 5 * time.Second, Max: 16 * time.Second}
)

// runImport does the work of an import, and stores the result.
func (p *Extension) runImport(ctx context.Context, a *engine.Account, who *identity.Principal, begun *Import,
	def *engine.Definition) {
	x := new(Import)
	*x = *begun
	err := p.guard(func() error { return p.importTable(ctx, a, who, x, def) })
	if err != nil {
		f := p.failureOf(err)
		x.importCounts = importCounts{}
		x.fail(p.Engine, f)
		if x.delayResult(p.Engine, failingImport); f.code == internalFailure {
			x.End = max(x.Start, p.Engine.Now())
		}
	}
	a.ReportConsumption(def.Name, telemetry.Imported, x.Bytes)
	if err := saveResult(a, keyspace.TransferImport, x, jobsOf(a).imports); err != nil &&
		!errors.Is(err, store.ErrClosed) {
		p.Engine.Log.Error("the result of an import could not be stored", "import", x.ARN, "error", err)
	}
}

// importTable creates the table and imports the objects. If an item is not imported, the import fails, and the table
// has the others.
func (p *Extension) importTable(ctx context.Context, a *engine.Account, who *identity.Principal, x *Import,
	def *engine.Definition) error {
	source := x.source()
	if err := p.bucketFailure(a, *source.S3Bucket, *source.S3BucketOwner); err != nil {
		return err
	}
	keys, err := p.Objects.Keys(*source.S3Bucket, orDefault(source.S3KeyPrefix, ""))
	if err != nil {
		return err
	}
	if err := p.authorizeReads(ctx, who, *source.S3Bucket, keys); err != nil {
		return err
	}
	if err := reserve(ctx, a, x, def); err != nil {
		return err
	}
	err = backup.FillReserved(ctx, a, def, func(t *engine.Table) error {
		l := newLoader(ctx, p, x, t)
		defer l.work.Close()
		return l.load(keys)
	}, func(t *engine.Table) { p.reveal(a, x, t) })
	if err != nil {
		return err
	}
	if x.Status = completed; x.Errors > 0 {
		x.Status, x.FailureCode = failed, "ItemValidationError"
		x.FailureMessage = "Some of the items failed validation checks and were not imported. " +
			"Please check CloudWatch error logs for more details."
	}
	return nil
}

// authorizeReads returns the failure unless who began the import may list the bucket and get its objects.
func (p *Extension) authorizeReads(ctx context.Context, who *identity.Principal, bucket string, keys []string) error {
	objects := make([]string, len(keys))
	for i, key := range keys {
		objects[i] = bucket + "/" + key
	}
	return cmp.Or(p.authorize(ctx, who, "ListBucket", bucket), p.authorize(ctx, who, "GetObject", objects...))
}

// reserve reserves the table's name for an import. The code of the failure for a name that is taken is the service's
// (aws-controllers-k8s/dynamodb-controller, 2026-10); its message is as in the answer to ImportTable.
func reserve(ctx context.Context, a *engine.Account, x *Import, def *engine.Definition) error {
	if err := a.DDL.Close(ctx); err != nil {
		return err
	}
	defer a.UnlockTables()
	err := backup.Reserve(ctx, a, def, "import: "+x.ARN)
	var refused *wire.Error
	if errors.As(err, &refused) && refused.Name() != "LimitExceededException" {
		return failure{"TableAlreadyExists", "Table already exists: " + def.Name}
	}
	return err
}

// reveal releases the table's name and sets the end of the import. With transitional states, the table is absent at
// first, and then CREATING until shortly before the end. a.DDL must be closed.
func (p *Extension) reveal(a *engine.Account, x *Import, t *engine.Table) {
	name := t.Def.Name
	if x.End = max(x.Start, p.Engine.Now()); !p.Engine.States {
		delete(control.Transitions(a).Restoring, name)
		return
	}
	hidden, whole := control.RandomDuration(p.Engine, hidingTable), control.RandomDuration(p.Engine, importing)
	creating := whole - hidden - control.RandomDuration(p.Engine, closingImport)
	x.End = max(x.End, x.Start+whole.Seconds())
	control.SetTable(a, name, nil)
	d := backup.DescribeFilling(t)
	p.Engine.Clock.At(p.Engine.Clock.Now().Add(hidden), func() {
		p.Engine.RunIfServing(func() {
			if a.DDL.Close(context.Background()) != nil {
				return
			}
			defer a.UnlockTables()
			if !a.IsRegistered() {
				return
			}
			control.BeginTransition(a, name, &control.Transition{Status: engine.Creating, Description: d}, creating,
				func() error {
					delete(control.Transitions(a).Restoring, name)
					control.SetTable(a, name, t)
					return nil
				})
		})
	})
}
