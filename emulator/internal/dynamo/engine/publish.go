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
	t := a.NewTable(def)
	return t, a.PublishTable(ctx, t, write)
}

// NewTable prepares a definition of a new or existing table of the account for use.
func (a *Account) NewTable(def *Definition) *Table {
	return a.Engine.NewTable(def, a.inheritStats((*a.Tables.Load())[def.Name]))
}

// PublishTable is Publish for a table that NewTable has already prepared.
func (a *Account) PublishTable(ctx context.Context, t *Table, write func(tx *store.Tx) error) error {
	return a.Engine.ChangeTables(ctx, []TableChange{{Account: a, Name: t.Def.Name, To: t}}, write)
}

// Drop removes a table and everything it holds, except the items of a table with point-in-time recovery, which a system
// backup keeps. a.DDL must be closed.
func (a *Account) Drop(ctx context.Context, t *Table) error {
	return a.Engine.ChangeTables(ctx, []TableChange{{Account: a, Name: t.Def.Name}}, nil)
}

// TableChange makes To the table of that name, or removes the table if To is nil.
type TableChange struct {
	Account *Account
	Name    string
	To      *Table

	from   *Table
	writes []Writes // of the extensions
}

// ChangeTables changes tables of accounts, whose DDL must be closed, in one transaction. write, which may be nil, makes
// further writes in it. No operation on the tables' items runs meanwhile.
func (s *Engine) ChangeTables(ctx context.Context, changes []TableChange, write func(tx *store.Tx) error) error {
	committed := false // after a panic too
	defer func() {
		for _, c := range changes {
			if !committed && c.To != nil {
				s.forgetUnpublished(c.To.Def)
			}
		}
	}()
	var gates []*store.Gate
	for i := range changes {
		if err := changes[i].prepare(); err != nil {
			return err
		}
		gates = append(gates, changes[i].either().Gate)
	}
	err := s.Store.UpdateContext(ctx, store.Latch().Alone(gates...), func(tx *store.Tx) error {
		for i := range changes {
			if err := changes[i].write(tx); err != nil {
				return err
			}
		}
		if write != nil {
			if err := write(tx); err != nil {
				return err
			}
		}
		for i := range changes {
			changes[i].publish(tx)
		}
		return nil
	})
	if committed = err == nil; !committed {
		return err
	}
	for _, c := range changes {
		if c.To == nil {
			s.ForgetGate(c.from.Def.ID)
			forgetTableNames(s.Store.Names(), c.from.Def)
			if c.from.Def.TTLAttribute != "" || c.from.Def.HadTTL {
				s.orphans.Store(true)
				s.ScheduleRemoval()
			}
		}
	}
	return nil
}

// forgetUnpublished forgets what was prepared in memory for a new table that could not be published.
func (s *Engine) forgetUnpublished(def *Definition) {
	if s.Published(def.ID) == nil {
		s.ForgetGate(def.ID)
		s.Logs.Forget(def.ID)
		forgetTableNames(s.Store.Names(), def)
	}
}

// either returns the new table or, if it is dropped, the old one.
func (c *TableChange) either() *Table {
	if c.To != nil {
		return c.To
	}
	return c.from
}

func (c *TableChange) prepare() (err error) {
	c.from = (*c.Account.Tables.Load())[c.Name]
	if c.To != nil {
		c.To.Def.RaiseWarmThroughput()
		if err := c.Account.Engine.openLog(c.To); err != nil {
			return err
		}
	}
	c.writes, err = c.Account.prepareChange(c.from, c.To)
	return err
}

func (c *TableChange) write(tx *store.Tx) error {
	if c.from != nil && c.from.Def.Replication != nil && c.To != nil && c.To.Def.Replication == nil {
		if err := tx.DeleteRange(versionSpan(c.from.Def.ID)); err != nil { // it has no replicas any more
			return err
		}
	}
	if c.To == nil {
		if err := writeAll(c.writes, tx); err != nil {
			return err
		}
		return c.Account.deleteTable(tx, c.from)
	}
	if c.Account.applyNewCapacity(c.To); !c.Account.Engine.States { // with States, the capacity changes later
		c.Account.ApplyCapacity(c.To)
		if c.from != nil {
			tx.OnAbort(func() { c.Account.ApplyCapacity(c.from) })
		}
	}
	if err := writeAll(c.writes, tx); err != nil {
		return err
	}
	text, err := json.Marshal(c.To.Def)
	if err != nil {
		return err
	}
	return tx.Set(c.Account.CatalogKey(c.Name), text)
}

// publish makes requests see the change. It does so before the commit: a reader that sees what the change deletes must
// find the previous table stale. If the commit fails, requests see the previous table again.
func (c *TableChange) publish(tx *store.Tx) {
	if c.To != nil {
		NameTable(c.Account.Engine.Store.Names(), c.Account.Name, c.To.Def)
	}
	slot := c.Account.Engine.slotOf(c.either().Def.ID)
	listed, published := (*c.Account.Tables.Load())[c.Name], slot.current.Load()
	tx.OnAbort(func() {
		c.Account.replaceTable(c.Name, listed)
		slot.current.Store(published)
		if listed != nil {
			listed.stale.Store(false)
		}
	})
	c.Account.replaceTable(c.Name, c.To)
	slot.put(c.Account, c.To)
}

// deleteTable deletes a table's definition and what the table holds.
func (a *Account) deleteTable(tx *store.Tx, t *Table) error {
	if err := tx.Delete(a.CatalogKey(t.Def.Name)); err != nil {
		return err
	}
	if err := tx.DeleteRange(versionSpan(t.Def.ID)); err != nil {
		return err
	}
	for _, id := range t.Def.IDs() {
		if id == t.Def.ID && t.Def.Recovery != nil { // a backup owns its items from now on
			continue
		}
		if err := tx.DeleteRange(KeySpan(id)); err != nil {
			return err
		}
	}
	return nil
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
