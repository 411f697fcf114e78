package dynamo

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// restoreSummary tells where a table comes from, while it is restored; later nothing does.
type restoreSummary struct {
	SourceBackupArn   string `json:",omitempty"`
	SourceTableArn    string
	RestoreDateTime   float64
	RestoreInProgress bool
}

// restore makes a table of a definition and of the items that fill puts under its keys. Nobody sees the table until it is
// whole, and where that fails nothing is left of it. from is what it is restored from, in the words for who wants the
// name meanwhile.
func (a *request) restore(def *definition, from string, summary restoreSummary, fill func(space []byte) error) (*tableAnswer, error) {
	if err := a.reserve(def, from); err != nil {
		return nil, err
	}
	a.work.EndTurn() // copying has turns of its own
	t, err := a.account.fillTable(def, fill)
	if problem := a.account.ddl.Close(context.Background()); problem != nil { // what is left undone holds the name
		return nil, errors.Join(err, problem)
	}
	defer a.account.unlockTables()
	if err != nil {
		delete(a.account.restoring, def.Name)
		return nil, errors.Join(err, a.service.abandon(a.account.catalogKey(def.Name), def))
	}
	def.Restoring = false
	if err := a.account.publishTable(context.Background(), t, nil); err != nil {
		delete(a.account.restoring, def.Name)
		return nil, err
	}
	summary.RestoreInProgress = true
	d := t.describeRestoring(&summary)
	a.account.beginRestoring(t, d)
	return &tableAnswer{d}, nil
}

// restoringTable is how long a restore takes, where tables take their time, as it was recorded on AWS of small tables.
var restoringTable = durationRange{81 * time.Second, 346 * time.Second}

// beginRestoring lets others have the name, and hides the table until it is restored where tables take their time. a.ddl must be
// held.
func (a *account) beginRestoring(t *table, d *tableDescription) {
	if !a.service.states {
		delete(a.restoring, t.def.Name)
		return
	}
	a.setTable(t.def.Name, nil)
	a.beginTransition(t.def.Name, &transition{creating, d}, a.service.draw(restoringTable), func() error {
		delete(a.restoring, t.def.Name)
		a.setTable(t.def.Name, t)
		return nil
	})
}

// describeRestoring tells of a table as it is while the service restores it.
func (t *table) describeRestoring(summary *restoreSummary) *tableDescription {
	d := t.describe()
	d.TableStatus, d.RestoreSummary = creating, summary
	d.allIndexes(creating)
	d.forgetBillingTime()
	d.ItemCount, d.TableSizeBytes = 0, 0
	for i := range d.GlobalSecondaryIndexes {
		d.GlobalSecondaryIndexes[i].ItemCount, d.GlobalSecondaryIndexes[i].IndexSizeBytes = 0, 0
	}
	for i := range d.LocalSecondaryIndexes {
		d.LocalSecondaryIndexes[i].ItemCount, d.LocalSecondaryIndexes[i].IndexSizeBytes = 0, 0
	}
	return d
}

// reserve takes the name of a table that is to be restored.
func (a *request) reserve(def *definition, from string) error {
	if err := a.lockTables(); err != nil {
		return err
	}
	defer a.account.unlockTables()
	if other, restoring := a.account.restoring[def.Name]; restoring {
		return dynamoError("TableInUseException", "Table: "+def.Name+" is already being restored from "+other)
	}
	if _, err := a.account.namedTable(def.Name); err == nil || a.account.transition(def.Name) != nil { // one that is being deleted, too
		return dynamoError("TableAlreadyExistsException", "Table already exists: "+def.Name)
	}
	if err := a.account.checkQuotas(def, nil); err != nil {
		return err
	}
	def.Restoring = true
	text, err := json.Marshal(def)
	if err != nil {
		return err
	}
	key := a.account.catalogKey(def.Name)
	err = a.service.store.UpdateContext(a.waiting(), store.Latch(key), func(tx *store.Tx) error { return tx.Set(key, text) })
	if err == nil {
		a.account.restoring[def.Name] = from
	}
	return err
}

// abandon removes what there is of a table that was not restored to the end.
func (s *Service) abandon(catalogKey []byte, def *definition) error {
	return s.store.Update(store.Latch(catalogKey), func(tx *store.Tx) error {
		if err := tx.Delete(catalogKey); err != nil {
			return err
		}
		for _, id := range def.ids() {
			if err := tx.DeleteRange(spaceOf(id)); err != nil {
				return err
			}
		}
		return nil
	})
}

// ids are those of the table and its indexes.
func (def *definition) ids() []uint32 {
	all := []uint32{def.ID}
	for _, x := range def.Global {
		all = append(all, x.ID)
	}
	for _, x := range def.Local {
		all = append(all, x.ID)
	}
	return all
}

// fillTable fills a table that nobody sees yet, and then its indexes and counts.
func (a *account) fillTable(def *definition, fill func(space []byte) error) (*table, error) {
	if _, err := a.keyFor(def); err != nil {
		return nil, err
	}
	def.raiseWarm()
	t := a.service.newTable(def, func(uint32) *stats { return new(stats) })
	a.service.tableKeys.sealTable(t)
	a.service.tableKeys.installSealer(a.service.store)
	nameTable(a.service.store.Names(), a.name, def)
	space := appendSpace(nil, def.ID)
	if err := fill(space); err != nil {
		return nil, err
	}
	return t, a.service.store.View(func(r *store.Reader) error {
		return a.service.inChunks(r, space, func(tx *store.Tx, _, value []byte) error {
			t.stats.add(1, int64(item.Value(value).ItemSize()))
			for _, x := range t.indexes {
				if err := x.enter(tx, t, value); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// enter puts an item of before the index into it.
func (x *index) enter(tx *store.Tx, t *table, it item.Value) error {
	key, entry := x.entry(t, it)
	if entry == nil {
		return nil
	}
	x.stats.add(1, int64(entry.ItemSize()))
	return tx.Set(key, entry)
}
