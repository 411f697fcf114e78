package destination

import (
	"context"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// The limits of one transaction, which keep it short. Bytes are those of the delivered records.
const (
	maxChanges = 500
	maxBytes   = 2 << 20
)

// Deliver delivers the changes of a table that are on disk. It does nothing while the stream does not exist or the
// table's items are not available.
func (p *Extension) Deliver(ctx context.Context, a *engine.Account, t *engine.Table) error {
	d := t.Def.Delivering()
	if d == nil || p.Kinesis == nil || t.CheckAvailable() != nil {
		return nil
	}
	for more := true; more; {
		s, ok := p.Kinesis.OpenStream(a.Name, d.StreamARN)
		if !ok {
			return nil
		}
		var err error
		more, err = deliverSome(ctx, a, t, d, s)
		s.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// deliverSome delivers changes in one transaction, and reports whether more remain. The table's gate excludes a change
// of its destinations, the latch another delivery.
func deliverSome(ctx context.Context, a *engine.Account, t *engine.Table, d *engine.KinesisDestination,
	s Stream) (more bool, err error) {
	to := t.Log.Floor()
	if d.End != 0 {
		to = min(to, d.End)
	}
	region, key := a.Region(), progressKey(t.Def.ID)
	err = a.Engine.Store.UpdateContext(ctx, store.Latch(key).Within(t.Gate, s.Gate()), func(tx *store.Tx) error {
		if t.CheckCurrent() != nil {
			return nil // the request that changed the table delivers, or a later use of the stream
		}
		last, err := progress(tx, t.Def.ID)
		if err != nil {
			return err
		}
		horizon := changelog.At(a.Engine.Clock.Now().Add(-retention))
		changes, bytes, from := 0, 0, max(last, d.Start, horizon)+1
		err = t.Log.Read(&tx.Reader, from, to, false, func(at changelog.Position, r changelog.Record) (bool, error) {
			if more = changes == maxChanges || bytes > maxBytes; more {
				return false, nil
			}
			data := appendRecord(nil, t.Def, d, region, at, &r)
			changes, bytes, last = changes+1, bytes+len(data), at
			return true, s.Append(tx, partitionKey(r.Key), data, at.Time())
		})
		if err != nil || changes == 0 {
			return err
		}
		return setProgress(tx, t.Def.ID, last)
	})
	return more, err
}
