package engine

import (
	"context"
	"encoding/json"
	"maps"
	"sync/atomic"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Account is a space of tables. Without isolation there is one.
type Account struct {
	Engine    *Engine
	Name      string
	DDL       *store.Gate // closed by one change of tables at a time, which comes after Running and before latches
	Tables    atomic.Pointer[map[string]*Table]
	residents []Resident // what the planes keep of it
}

// NewAccount makes an account without tables. Others do not find it until Intern keeps it.
func NewAccount(s *Engine, name string) *Account {
	a := &Account{Engine: s, Name: name, DDL: s.Store.NewGate().Ranked(store.Definitions)}
	a.Tables.Store(&map[string]*Table{})
	for _, p := range s.Planes {
		if r := p.NewResident(); r != nil {
			a.residents = append(a.residents, r)
		}
	}
	return a
}

// Table finds a table for an operation on items.
func (a *Account) Table(name string) (*Table, error) {
	if t, ok := (*a.Tables.Load())[name]; ok {
		return t, t.Available()
	}
	return nil, wire.TableNotFound()
}

// NamedTable finds a table for an operation on tables.
func (a *Account) NamedTable(name string) (*Table, error) {
	if t, ok := (*a.Tables.Load())[name]; ok {
		return t, nil
	}
	return nil, wire.NamedTableNotFound(name)
}

// Publish makes a definition that of its table, new or not. a.DDL must be closed. No operation on its items runs
// meanwhile; one that has looked the table up before is run anew. work, which may be nil, writes what goes
// with the change into the same batch. It gives up with ctx while it waits for updates of the table's items.
func (a *Account) Publish(ctx context.Context, def *Definition, work func(tx *store.Tx) error) (*Table, error) {
	t := a.Engine.NewTable(def, a.countsOf((*a.Tables.Load())[def.Name]))
	return t, a.PublishTable(ctx, t, work)
}

// PublishTable is publish for a definition that was prepared for use.
func (a *Account) PublishTable(ctx context.Context, t *Table, work func(tx *store.Tx) error) error {
	t.Def.RaiseWarm()
	def, former := t.Def, (*a.Tables.Load())[t.Def.Name]
	if err := a.Engine.openLog(t); err != nil {
		return err
	}
	planes, err := a.prepareChange(former, t)
	if err != nil {
		return err
	}
	return a.Engine.Store.UpdateContext(ctx, store.Latch().Alone(t.Gate), func(tx *store.Tx) error {
		if a.measureNew(t); !a.Engine.States { // or else a change of capacity takes its time
			a.Measure(t)
		}
		if err := writeAll(planes, tx); err != nil {
			return err
		}
		text, err := json.Marshal(def)
		if err != nil {
			return err
		}
		if err := tx.Set(a.CatalogKey(def.Name), text); err != nil {
			return err
		}
		if work != nil {
			if err := work(tx); err != nil {
				return err
			}
		}
		finishSteps(planes)
		NameTable(a.Engine.Store.Names(), a.Name, def)
		a.swap(def.Name, t)
		return nil
	})
}

// Drop removes a table and all that it holds, but for the backup that one with point-in-time recovery leaves. a.DDL
// must be closed.
func (a *Account) Drop(ctx context.Context, t *Table) error {
	planes, err := a.prepareChange(t, nil)
	if err != nil {
		return err
	}
	err = a.Engine.Store.UpdateContext(ctx, store.Latch().Alone(t.Gate), func(tx *store.Tx) error {
		if err := writeAll(planes, tx); err != nil {
			return err
		}
		if err := tx.Delete(a.CatalogKey(t.Def.Name)); err != nil {
			return err
		}
		if t.Def.Recovery == nil { // else a backup has its items from now on
			if err := tx.DeleteRange(SpaceOf(t.Def.ID)); err != nil {
				return err
			}
		}
		for _, x := range t.Indexes {
			if err := tx.DeleteRange(SpaceOf(x.ID)); err != nil {
				return err
			}
		}
		finishSteps(planes)
		a.swap(t.Def.Name, nil)
		return nil
	})
	if err == nil {
		a.Engine.forgetGate(t.Def.ID)
		forgetTable(a.Engine.Store.Names(), t.Def)
	}
	return err
}

// swap replaces the table of that name, nil for none, and marks the former one stale. a.DDL must be closed, and nobody
// else be within the table's gate.
func (a *Account) swap(name string, t *Table) {
	tables := maps.Clone(*a.Tables.Load())
	if former, ok := tables[name]; ok {
		former.stale.Store(true)
	}
	if t == nil {
		delete(tables, name)
	} else {
		tables[name] = t
	}
	a.Tables.Store(&tables)
}

// countsOf keeps the counts of a table and its indexes over a change of its definition.
func (a *Account) countsOf(former *Table) func(id uint32) *Stats {
	known := map[uint32]*Stats{}
	if former != nil {
		known[former.Def.ID] = former.Stats
		for _, x := range former.Indexes {
			known[x.ID] = x.Stats
		}
	}
	return func(id uint32) *Stats {
		if s, ok := known[id]; ok {
			return s
		}
		return new(Stats)
	}
}

// NewID numbers a new table or index.
func (s *Engine) NewID() uint32 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nextID++
	return s.nextID
}

// SpaceOf is the range of all keys of a table or an index.
func SpaceOf(id uint32) (lo, hi []byte) {
	lo = AppendSpace(nil, id)
	return lo, store.PrefixEnd(lo)
}

// CatalogKey is where the store has the definition of a table.
func (a *Account) CatalogKey(table string) []byte {
	key := store.AppendEscaped([]byte{SpaceCatalog}, []byte(a.Name))
	return append(key, table...)
}
