package dynamo

import (
	"context"
	"encoding/json"
	"maps"
	"sync/atomic"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// account is a space of tables. Without isolation there is one.
type account struct {
	service     *Service
	name        string
	ddl         *store.Gate // closed by one change of tables at a time, which comes after running and before latches
	tables      atomic.Pointer[map[string]*table]
	transitions transitions
	// streams are those that can be read, by their ARNs: of tables of now and of before.
	streams atomic.Pointer[map[string]*stream]
	backups atomic.Pointer[map[string]*backup] // by their ARNs
	// restoring are the names of tables that are being restored, and what from. Guarded by ddl.
	restoring map[string]string
}

// Where an account is, unless its name says otherwise: what ARNs name.
const (
	accountID     = "000000000000"
	defaultRegion = "us-east-1"
)

func newAccount(s *Service, name string) *account {
	a := &account{service: s, name: name, ddl: s.store.NewGate().Ranked(store.Definitions), restoring: map[string]string{}}
	a.tables.Store(&map[string]*table{})
	a.streams.Store(&map[string]*stream{})
	a.backups.Store(&map[string]*backup{})
	return a
}

// table finds a table for an operation on items.
func (a *account) table(name string) (*table, error) {
	if t, ok := (*a.tables.Load())[name]; ok {
		return t, t.available(a)
	}
	return nil, tableNotFound()
}

// namedTable finds a table for an operation on tables.
func (a *account) namedTable(name string) (*table, error) {
	if t, ok := (*a.tables.Load())[name]; ok {
		return t, nil
	}
	return nil, namedTableNotFound(name)
}

// publish makes a definition that of its table, new or not. a.ddl must be closed. No operation on its items runs
// meanwhile; one that has looked the table up before is run anew. work, which may be nil, writes what goes
// with the change into the same batch. It gives up with ctx while it waits for updates of the table's items.
func (a *account) publish(ctx context.Context, def *definition, work func(tx *store.Tx) error) (*table, error) {
	t := a.service.newTable(def, a.countsOf((*a.tables.Load())[def.Name]))
	return t, a.publishTable(ctx, t, work)
}

// publishTable is publish for a definition that was prepared for use.
func (a *account) publishTable(ctx context.Context, t *table, work func(tx *store.Tx) error) error {
	t.def.raiseWarm()
	def, former := t.def, (*a.tables.Load())[t.def.Name]
	wrap, err := a.keyFor(def)
	if err != nil {
		return err
	}
	def.Sealing = def.Sealing && former != nil
	t.inheritAvailability(former)
	if err := a.service.openLog(t); err != nil {
		return err
	}
	return a.service.store.UpdateContext(ctx, store.Latch().Alone(t.gate), func(tx *store.Tx) error {
		if a.measureNew(t); !a.service.states { // or else a change of capacity takes its time
			a.measure(t)
		}
		streams, err := a.changeLog(tx, former, t)
		if err != nil {
			return err
		}
		text, err := json.Marshal(def)
		if err != nil {
			return err
		}
		if err := tx.Set(a.catalogKey(def.Name), text); err != nil {
			return err
		}
		for _, more := range []func(*store.Tx) error{wrap, work} {
			if more == nil {
				continue
			}
			if err := more(tx); err != nil {
				return err
			}
		}
		a.service.tableKeys.sealTable(t)
		a.service.tableKeys.installSealer(a.service.store)
		nameTable(a.service.store.Names(), a.name, def)
		a.streams.Store(&streams)
		a.swap(def.Name, t)
		return nil
	})
}

// drop removes a table and all that it holds, but for the backup that one with point-in-time recovery leaves. a.ddl must be closed.
func (a *account) drop(ctx context.Context, t *table) error {
	err := a.service.store.UpdateContext(ctx, store.Latch().Alone(t.gate), func(tx *store.Tx) error {
		streams, err := a.changeLog(tx, t, nil)
		if err != nil {
			return err
		}
		if err := tx.Delete(a.catalogKey(t.def.Name)); err != nil {
			return err
		}
		if t.def.Recovery != nil {
			err = a.keepDeleted(tx, t)
		} else {
			err = tx.DeleteRange(spaceOf(t.def.ID))
		}
		if err != nil {
			return err
		}
		for _, x := range t.indexes {
			if err := tx.DeleteRange(spaceOf(x.id)); err != nil {
				return err
			}
		}
		a.streams.Store(&streams)
		a.swap(t.def.Name, nil)
		return nil
	})
	if err == nil {
		a.service.forgetGate(t.def.ID)
		forgetTable(a.service.store.Names(), t.def)
	}
	return err
}

// swap replaces the table of that name, nil for none, and marks the former one stale. a.ddl must be closed, and nobody else be
// within the table's gate.
func (a *account) swap(name string, t *table) {
	tables := maps.Clone(*a.tables.Load())
	if former, ok := tables[name]; ok {
		former.stale.Store(true)
	}
	if t == nil {
		delete(tables, name)
	} else {
		tables[name] = t
	}
	a.tables.Store(&tables)
}

// countsOf keeps the counts of a table and its indexes over a change of its definition.
func (a *account) countsOf(former *table) func(id uint32) *stats {
	known := map[uint32]*stats{}
	if former != nil {
		known[former.def.ID] = former.stats
		for _, x := range former.indexes {
			known[x.id] = x.stats
		}
	}
	return func(id uint32) *stats {
		if s, ok := known[id]; ok {
			return s
		}
		return new(stats)
	}
}

// newID numbers a new table or index.
func (s *Service) newID() uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nextID++
	return s.nextID
}

// spaceOf is the range of all keys of a table or an index.
func spaceOf(id uint32) (lo, hi []byte) {
	lo = appendSpace(nil, id)
	return lo, store.PrefixEnd(lo)
}

func (a *account) catalogKey(table string) []byte {
	key := store.AppendEscaped([]byte{spaceCatalog}, []byte(a.name))
	return append(key, table...)
}
