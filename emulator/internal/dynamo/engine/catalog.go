package engine

import (
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Load loads all tables from the store. No operation may run during it.
func (s *Engine) Load() error {
	s.StopCounting()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Accounts, s.owners = map[string]*Account{}, map[string]*owner{}
	s.emptySlots()
	if err := s.Logs.Reload(); err != nil {
		return err
	}
	for _, p := range s.Extensions {
		if err := p.BeforeTablesLoad(); err != nil {
			return err
		}
	}
	complete, counts, err := s.takeSavedStats()
	if err != nil {
		return err
	}
	if err := s.loadCatalog(counts); err != nil {
		return err
	}
	for _, p := range s.Extensions {
		if err := p.AfterTablesLoad(); err != nil {
			return err
		}
	}
	// If the last process died, or this is another process's snapshot, the next ids may be in use.
	if len(s.Accounts) > 0 && !complete {
		s.Random.Seed(s.Random.State() ^ uint64(s.Clock.Now().UnixNano()))
	}
	s.SharedAccount.Store(s.EnsureAccount(""))
	if err := s.expectOrphans(); err != nil {
		return err
	}
	if err := s.startCounting(); err != nil {
		return err
	}
	return s.finishSmallWork()
}

func (s *Engine) loadCatalog(counts func(id uint32) *Stats) error {
	prefix := []byte{SpaceCatalog}
	return s.Store.View(func(r *store.Reader) error {
		it := r.Iter(prefix, store.PrefixEnd(prefix), false)
		defer it.Close()
		for it.Next() {
			if err := s.loadTable(it.Key(), it.Value(), counts); err != nil {
				return err
			}
		}
		return it.Close()
	})
}

func (s *Engine) loadTable(key, text []byte, counts func(id uint32) *Stats) error {
	name, _, err := store.DecodeEscaped(key[1:])
	if err != nil {
		return err
	}
	def := new(Definition)
	if err := json.Unmarshal(text, def); err != nil {
		return fmt.Errorf("the definition of a table cannot be read: %w", err)
	}
	if def.Restoring {
		return s.RemoveFailedRestore(key, def)
	}
	def.RaiseWarmThroughput()
	t := s.NewTable(def, func(id uint32) *Stats {
		s.nextID = max(s.nextID, id)
		return counts(id)
	})
	a := s.EnsureAccount(string(name))
	if own := a.ARN("dynamodb", "table/"+def.Name); def.ARN != own {
		return &AccountError{ARN: def.ARN, Account: a.ID()}
	}
	a.ApplyCapacity(t)
	for _, p := range s.Extensions {
		p.TableLoaded(t)
	}
	NameTable(s.Store.Names(), a.Name, def)
	(*a.Tables.Load())[def.Name] = t
	s.slotOf(def.ID).put(a, t)
	return s.openLog(t)
}

// SaveStats writes the counts of all tables and indexes. Until then they are in memory only: a counter in the batch of
// each write would cost as much as a small item.
func (s *Engine) SaveStats() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Store.Update(store.Latch([]byte{spaceCounts}), func(tx *store.Tx) error {
		for _, a := range s.Accounts {
			for _, t := range *a.Tables.Load() {
				if t.locked() { // its items could not be counted
					continue
				}
				if err := saveTableStats(tx, t); err != nil {
					return err
				}
			}
		}
		// The marker says that the counts are complete. It keeps the state of the random stream, so that no id is made
		// twice.
		return tx.Set([]byte{spaceCounts}, encodeCounts(s.Random.State(), 0))
	})
}

func saveTableStats(tx *store.Tx, t *Table) error {
	save := func(id uint32, s *Stats) error {
		if s.uncounted.Load() {
			return nil
		}
		return tx.Set(countsKey(id), encodeCounts(uint64(s.Items.Load()), uint64(s.Bytes.Load())))
	}
	if err := save(t.Def.ID, t.Stats); err != nil {
		return err
	}
	for _, x := range t.Indexes {
		if err := save(x.ID, x.Stats); err != nil {
			return err
		}
	}
	for _, x := range t.Vectors {
		if err := save(x.ID, x.Stats); err != nil {
			return err
		}
	}
	return nil
}

func encodeCounts(a, b uint64) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, a), b)
}

func countsKey(id uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte{spaceCounts}, id)
}

// takeSavedStats returns the counts that SaveStats wrote and deletes them, so that a process that dies leaves none. If
// there were none, complete is false and every item has to be counted: see startCounting.
func (s *Engine) takeSavedStats() (complete bool, counts func(id uint32) *Stats, err error) {
	saved := map[string][2]uint64{}
	marker := []byte{spaceCounts}
	err = s.Store.Update(store.Latch(marker), func(tx *store.Tx) error {
		it := tx.Iter(marker, store.PrefixEnd(marker), false)
		defer it.Close()
		for it.Next() {
			if v := it.Value(); len(v) == 16 {
				saved[string(it.Key())] = [2]uint64{binary.BigEndian.Uint64(v), binary.BigEndian.Uint64(v[8:])}
			} else {
				saved[string(it.Key())] = [2]uint64{}
			}
		}
		if len(saved) == 0 {
			return nil
		}
		return tx.DeleteRange(marker, store.PrefixEnd(marker))
	})
	last, complete := saved[string(marker)]
	if complete {
		s.Random.Seed(last[0])
	}
	return complete, func(id uint32) *Stats {
		counted := new(Stats)
		c, known := saved[string(countsKey(id))]
		if !complete || !known { // its table was locked or not counted yet, or its record is damaged
			counted.uncounted.Store(true)
			return counted
		}
		counted.Items.Store(int64(c[0]))
		counted.Bytes.Store(int64(c[1]))
		return counted
	}, err
}

// RemoveFailedRestore removes what a restore that did not finish has written of a table.
func (s *Engine) RemoveFailedRestore(catalogKey []byte, def *Definition) error {
	s.forgetUnpublished(def)
	return s.Store.Update(store.Latch(catalogKey), func(tx *store.Tx) error {
		if err := tx.Delete(catalogKey); err != nil {
			return err
		}
		for _, id := range def.IDs() {
			if err := tx.DeleteRange(KeySpan(id)); err != nil {
				return err
			}
		}
		return nil
	})
}
