package backup

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/encryption"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Restore creates a table with a definition and the items that copyItems writes under its prefix. Requests do not see
// the table until it is complete; if the restore fails, nothing is left of it. source names the source in the error for
// another restore to the same name.
func Restore(req *engine.Request, def *engine.Definition, source string, summary control.RestoreSummary,
	copyItems func(space []byte) error) (*control.TableOutput, error) {
	if err := ReserveName(req, def, source); err != nil {
		return nil, err
	}
	req.Work.EndTurn() // copying takes its own turns
	var d *control.TableDescription
	err := FillReserved(context.Background(), req.Account, def, func(t *engine.Table) error {
		return copyItems(engine.AppendTablePrefix(nil, t.Def.ID))
	}, func(t *engine.Table) {
		summary.RestoreInProgress = true
		d = DescribeFilling(t)
		d.RestoreSummary = &summary
		req.Consume(t, telemetry.Restored, t.StoredBytes())
		beginRestoring(req.Account, t, d)
	})
	if err != nil {
		return nil, err
	}
	return &control.TableOutput{TableDescription: d}, nil
}

// FillReserved fills a table whose name is reserved, with the items that fill writes, and publishes it. Then it calls
// published with a.DDL closed, which releases the name. After an error, such as the end of ctx, or a panic before that,
// nothing is left of the table.
func FillReserved(ctx context.Context, a *engine.Account, def *engine.Definition, fill func(t *engine.Table) error,
	published func(t *engine.Table)) (err error) {
	keys, isPublished := engine.ExtensionOf[*encryption.Extension](a.Engine), false
	keys.HoldKey(def.ID)
	defer keys.ReleaseKey(def.ID)
	defer func() {
		if !isPublished { // also after a panic
			err = errors.Join(err, removeReserved(a, def))
		}
	}()
	t, err := fillTable(ctx, a, def, fill)
	if err != nil {
		return err
	}
	if err := a.DDL.Close(context.Background()); err != nil {
		return err
	}
	defer a.UnlockTables()
	def.Restoring = false
	if err := a.PublishTable(context.Background(), t, nil); err != nil {
		return err
	}
	isPublished = true
	published(t)
	return nil
}

// removeReserved removes what was written of a table that could not be filled, and releases its name.
func removeReserved(a *engine.Account, def *engine.Definition) error {
	if err := a.DDL.Close(context.Background()); err != nil {
		return err
	}
	defer a.UnlockTables()
	delete(control.Transitions(a).Restoring, def.Name)
	return a.Engine.RemoveFailedRestore(a.CatalogKey(def.Name), def)
}

// restoringTable is the duration of a restore with States, as recorded on AWS for small tables.
var restoringTable = control.DurationRange{Min: 81 * time.Second, Max: 346 * time.Second}

// beginRestoring releases the reserved name. With States it hides the table until the restore appears complete. a.DDL
// must be closed.
func beginRestoring(a *engine.Account, t *engine.Table, d *control.TableDescription) {
	if !a.Engine.States {
		delete(control.Transitions(a).Restoring, t.Def.Name)
		return
	}
	control.SetTable(a, t.Def.Name, nil)
	control.BeginTransition(a, t.Def.Name, &control.Transition{Status: engine.Creating, Description: d},
		control.RandomDuration(a.Engine, restoringTable), func() error {
			delete(control.Transitions(a).Restoring, t.Def.Name)
			control.SetTable(a, t.Def.Name, t)
			return nil
		})
}

// DescribeFilling describes a table as the service does while it fills the table.
func DescribeFilling(t *engine.Table) *control.TableDescription {
	d := control.Describe(t, t.Def.Created)
	d.TableStatus = engine.Creating
	d.SetIndexStatuses(engine.Creating)
	d.ClearBillingTime()
	d.ItemCount, d.TableSizeBytes = 0, 0
	for i := range d.GlobalSecondaryIndexes {
		d.GlobalSecondaryIndexes[i].ItemCount, d.GlobalSecondaryIndexes[i].IndexSizeBytes = 0, 0
	}
	for i := range d.VectorIndexes {
		d.VectorIndexes[i].ItemCount, d.VectorIndexes[i].IndexSizeBytes = 0, 0
	}
	for i := range d.LocalSecondaryIndexes {
		d.LocalSecondaryIndexes[i].ItemCount, d.LocalSecondaryIndexes[i].IndexSizeBytes = 0, 0
	}
	return d
}

// ReserveName reserves the name of a table that is to be restored.
func ReserveName(req *engine.Request, def *engine.Definition, source string) error {
	if err := req.LockTables(); err != nil {
		return err
	}
	defer req.Account.UnlockTables()
	return Reserve(req.BeginWait(), req.Account, def, source)
}

// Reserve reserves the name of a table that is to be filled from a source. a.DDL must be closed. If the process ends
// before the table is published, the next one removes what was written of it.
func Reserve(ctx context.Context, a *engine.Account, def *engine.Definition, source string) error {
	if other, restoring := control.Transitions(a).Restoring[def.Name]; restoring {
		return wire.DynamoError("TableInUseException", "Table: "+def.Name+" is already being restored from "+other)
	}
	// A table that is being deleted exists too.
	if _, err := a.NamedTable(def.Name); err == nil || control.TransitionOf(a, def.Name) != nil {
		return wire.DynamoError("TableAlreadyExistsException", "Table already exists: "+def.Name)
	}
	if err := control.CheckQuotas(a, def, nil); err != nil {
		return err
	}
	def.Restoring = true
	text, err := json.Marshal(def)
	if err != nil {
		return err
	}
	key := a.CatalogKey(def.Name)
	err = a.Engine.Store.UpdateContext(ctx, store.Latch(key), func(tx *store.Tx) error {
		return tx.Set(key, text)
	})
	if err == nil {
		control.Transitions(a).Restoring[def.Name] = source
	}
	return err
}

// fillTable fills a table that requests do not see yet, and then its indexes and counts.
func fillTable(ctx context.Context, a *engine.Account, def *engine.Definition,
	fill func(t *engine.Table) error) (*engine.Table, error) {
	keys := engine.ExtensionOf[*encryption.Extension](a.Engine)
	if _, err := keys.PrepareKey(a, def); err != nil {
		return nil, err
	}
	def.RaiseWarmThroughput()
	t := a.Engine.NewTable(def, func(uint32) *engine.Stats { return new(engine.Stats) })
	keys.TableKeys.SealTable(t)
	keys.TableKeys.InstallSealer(a.Engine.Store)
	engine.NameTable(a.Engine.Store.Names(), a.Name, def)
	prefix := engine.AppendTablePrefix(nil, def.ID)
	if err := fill(t); err != nil {
		return nil, err
	}
	return t, a.Engine.Store.View(func(r *store.Reader) error {
		return forEachChunk(a.Engine, r, prefix, func(tx *store.Tx, key, value []byte) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			t.Stats.Add(1, int64(item.Value(value).ItemSize()))
			for _, x := range t.Indexes {
				if err := addIndexEntry(x, tx, t, value); err != nil {
					return err
				}
			}
			for _, x := range t.Vectors {
				if err := x.Enter(tx, key, value); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// addIndexEntry adds the entry of an existing item to an index.
func addIndexEntry(x *engine.Index, tx *store.Tx, t *engine.Table, it item.Value) error {
	key, entry := x.Entry(t, it)
	if entry == nil {
		return nil
	}
	x.Stats.Add(1, int64(entry.ItemSize()))
	return tx.Set(key, entry)
}
