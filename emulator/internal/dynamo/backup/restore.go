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
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Restore makes a table of a definition and of the items that fill puts under its keys. Nobody sees the table until it
// is whole, and where that fails nothing is left of it. from is what it is restored from, in the words for who wants
// the name meanwhile.
func Restore(a *engine.Request, def *engine.Definition, from string, summary control.RestoreSummary, fill func(space []byte) error) (*control.TableAnswer, error) {
	if err := Reserve(a, def, from); err != nil {
		return nil, err
	}
	a.Work.EndTurn() // copying has turns of its own
	t, err := fillTable(a.Account, def, fill)
	if problem := a.Account.DDL.Close(context.Background()); problem != nil { // what is left undone holds the name
		return nil, errors.Join(err, problem)
	}
	defer a.Account.UnlockTables()
	if err != nil {
		delete(control.Transitions(a.Account).Restoring, def.Name)
		return nil, errors.Join(err, a.Engine.Abandon(a.Account.CatalogKey(def.Name), def))
	}
	def.Restoring = false
	if err := a.Account.PublishTable(context.Background(), t, nil); err != nil {
		delete(control.Transitions(a.Account).Restoring, def.Name)
		return nil, err
	}
	summary.RestoreInProgress = true
	d := describeRestoring(t, &summary)
	beginRestoring(a.Account, t, d)
	return &control.TableAnswer{TableDescription: d}, nil
}

// restoringTable is how long a restore takes, where tables take their time, as it was recorded on AWS of small tables.
var restoringTable = control.DurationRange{Least: 81 * time.Second, Most: 346 * time.Second}

// beginRestoring lets others have the name, and hides the table until it is restored where tables take their time.
// a.DDL must be held.
func beginRestoring(a *engine.Account, t *engine.Table, d *control.TableDescription) {
	if !a.Engine.States {
		delete(control.Transitions(a).Restoring, t.Def.Name)
		return
	}
	control.SetTable(a, t.Def.Name, nil)
	control.BeginTransition(a, t.Def.Name, &control.Transition{Status: engine.Creating, Shown: d}, control.Draw(a.Engine, restoringTable), func() error {
		delete(control.Transitions(a).Restoring, t.Def.Name)
		control.SetTable(a, t.Def.Name, t)
		return nil
	})
}

// describeRestoring tells of a table as it is while the service restores it.
func describeRestoring(t *engine.Table, summary *control.RestoreSummary) *control.TableDescription {
	d := control.Describe(t)
	d.TableStatus, d.RestoreSummary = engine.Creating, summary
	d.AllIndexes(engine.Creating)
	d.ForgetBillingTime()
	d.ItemCount, d.TableSizeBytes = 0, 0
	for i := range d.GlobalSecondaryIndexes {
		d.GlobalSecondaryIndexes[i].ItemCount, d.GlobalSecondaryIndexes[i].IndexSizeBytes = 0, 0
	}
	for i := range d.LocalSecondaryIndexes {
		d.LocalSecondaryIndexes[i].ItemCount, d.LocalSecondaryIndexes[i].IndexSizeBytes = 0, 0
	}
	return d
}

// Reserve takes the name of a table that is to be restored.
func Reserve(a *engine.Request, def *engine.Definition, from string) error {
	if err := a.LockTables(); err != nil {
		return err
	}
	defer a.Account.UnlockTables()
	if other, restoring := control.Transitions(a.Account).Restoring[def.Name]; restoring {
		return wire.DynamoError("TableInUseException", "Table: "+def.Name+" is already being restored from "+other)
	}
	if _, err := a.Account.NamedTable(def.Name); err == nil || control.TransitionOf(a.Account, def.Name) != nil { // one that is being deleted, too
		return wire.DynamoError("TableAlreadyExistsException", "Table already exists: "+def.Name)
	}
	if err := control.CheckQuotas(a.Account, def, nil); err != nil {
		return err
	}
	def.Restoring = true
	text, err := json.Marshal(def)
	if err != nil {
		return err
	}
	key := a.Account.CatalogKey(def.Name)
	err = a.Engine.Store.UpdateContext(a.Waiting(), store.Latch(key), func(tx *store.Tx) error { return tx.Set(key, text) })
	if err == nil {
		control.Transitions(a.Account).Restoring[def.Name] = from
	}
	return err
}

// fillTable fills a table that nobody sees yet, and then its indexes and counts.
func fillTable(a *engine.Account, def *engine.Definition, fill func(space []byte) error) (*engine.Table, error) {
	keys := engine.PlaneOf[*encryption.Plane](a.Engine)
	if _, err := keys.KeyFor(a, def); err != nil {
		return nil, err
	}
	def.RaiseWarm()
	t := a.Engine.NewTable(def, func(uint32) *engine.Stats { return new(engine.Stats) })
	keys.TableKeys.SealTable(t)
	keys.TableKeys.InstallSealer(a.Engine.Store)
	engine.NameTable(a.Engine.Store.Names(), a.Name, def)
	space := engine.AppendSpace(nil, def.ID)
	if err := fill(space); err != nil {
		return nil, err
	}
	return t, a.Engine.Store.View(func(r *store.Reader) error {
		return inChunks(a.Engine, r, space, func(tx *store.Tx, _, value []byte) error {
			t.Stats.Add(1, int64(item.Value(value).ItemSize()))
			for _, x := range t.Indexes {
				if err := enter(x, tx, t, value); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// enter puts an item of before the index into it.
func enter(x *engine.Index, tx *store.Tx, t *engine.Table, it item.Value) error {
	key, entry := x.Entry(t, it)
	if entry == nil {
		return nil
	}
	x.Stats.Add(1, int64(entry.ItemSize()))
	return tx.Set(key, entry)
}
