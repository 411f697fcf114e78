package engine

import (
	"context"
	"encoding/json"
	"maps"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Publish makes def the definition of its table, new or existing. a.DDL must be closed. No operation on the table's
// items runs during the change; one that looked the table up earlier is retried. work, which may be nil, makes further
// writes in the same batch. While Publish waits for updates of the table's items, it gives up when ctx is done.
func (a *Account) Publish(ctx context.Context, def *Definition, write func(tx *store.Tx) error) (*Table, error) {
	t := a.Engine.NewTable(def, a.inheritStats((*a.Tables.Load())[def.Name]))
	return t, a.PublishTable(ctx, t, write)
}

// PublishTable is Publish for a table that NewTable has already prepared.
func (a *Account) PublishTable(ctx context.Context, t *Table, write func(tx *store.Tx) error) error {
	t.Def.RaiseWarmThroughput()
	def, previous := t.Def, (*a.Tables.Load())[t.Def.Name]
	if err := a.Engine.openLog(t); err != nil {
		return err
	}
	steps, err := a.prepareChange(previous, t)
	if err != nil {
		return err
	}
	return a.Engine.Store.UpdateContext(ctx, store.Latch().Alone(t.Gate), func(tx *store.Tx) error {
		if a.applyNewCapacity(t); !a.Engine.States { // with States, the capacity changes later
			a.ApplyCapacity(t)
		}
		if err := writeSteps(steps, tx); err != nil {
			return err
		}
		text, err := json.Marshal(def)
		if err != nil {
			return err
		}
		if err := tx.Set(a.CatalogKey(def.Name), text); err != nil {
			return err
		}
		if write != nil {
			if err := write(tx); err != nil {
				return err
			}
		}
		finishSteps(steps)
		NameTable(a.Engine.Store.Names(), a.Name, def)
		a.replaceTable(def.Name, t)
		return nil
	})
}

// Drop removes a table and everything it holds, except the items of a table with point-in-time recovery, which a system
// backup keeps. a.DDL must be closed.
func (a *Account) Drop(ctx context.Context, t *Table) error {
	steps, err := a.prepareChange(t, nil)
	if err != nil {
		return err
	}
	err = a.Engine.Store.UpdateContext(ctx, store.Latch().Alone(t.Gate), func(tx *store.Tx) error {
		if err := writeSteps(steps, tx); err != nil {
			return err
		}
		if err := tx.Delete(a.CatalogKey(t.Def.Name)); err != nil {
			return err
		}
		if t.Def.Recovery == nil { // otherwise a backup owns its items from now on
			if err := tx.DeleteRange(KeySpan(t.Def.ID)); err != nil {
				return err
			}
		}
		for _, x := range t.Indexes {
			if err := tx.DeleteRange(KeySpan(x.ID)); err != nil {
				return err
			}
		}
		for _, x := range t.Vectors {
			if err := tx.DeleteRange(KeySpan(x.ID)); err != nil {
				return err
			}
		}
		finishSteps(steps)
		a.replaceTable(t.Def.Name, nil)
		return nil
	})
	if err == nil {
		a.Engine.forgetGate(t.Def.ID)
		forgetTableNames(a.Engine.Store.Names(), t.Def)
	}
	return err
}

// replaceTable replaces the table of that name, or removes it if t is nil, and marks the previous one stale. a.DDL must
// be closed, and nobody else may be inside the table's gate.
func (a *Account) replaceTable(name string, t *Table) {
	tables := maps.Clone(*a.Tables.Load())
	if previous, ok := tables[name]; ok {
		previous.stale.Store(true)
	}
	if t == nil {
		delete(tables, name)
	} else {
		tables[name] = t
	}
	a.Tables.Store(&tables)
}

// inheritStats returns a function that carries the counts of a table and its indexes over a change of the definition.
func (a *Account) inheritStats(previous *Table) func(id uint32) *Stats {
	stats := map[uint32]*Stats{}
	if previous != nil {
		stats[previous.Def.ID] = previous.Stats
		for _, x := range previous.Indexes {
			stats[x.ID] = x.Stats
		}
		for _, x := range previous.Vectors {
			stats[x.ID] = x.Stats
		}
	}
	return func(id uint32) *Stats {
		if s, ok := stats[id]; ok {
			return s
		}
		return new(Stats)
	}
}
