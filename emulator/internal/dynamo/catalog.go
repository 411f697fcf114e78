package dynamo

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// load takes all tables from the store. No operation may run meanwhile.
func (s *Service) load() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.accounts = map[string]*account{}
	forgetNames(s.store.Names())
	if err := s.logs.Reload(); err != nil {
		return err
	}
	if err := s.loadKeys(); err != nil {
		return err
	}
	complete, counts, err := s.takeStats()
	if err != nil {
		return err
	}
	if err := s.loadCatalog(counts); err != nil {
		return err
	}
	s.tableKeys.installSealer(s.store)
	if err := s.loadStreams(); err != nil {
		return err
	}
	if err := s.loadBackups(); err != nil {
		return err
	}
	if len(s.accounts) > 0 && !complete { // of a process that died, or of another one's snapshot: the next ids may be taken
		s.random.Seed(s.random.State() ^ uint64(s.clock.Now().UnixNano()))
	}
	if s.accounts[""] == nil {
		s.accounts[""] = newAccount(s, "")
	}
	s.shared.Store(s.accounts[""])
	return s.finishAll()
}

func (s *Service) loadCatalog(counts func(id uint32) (*stats, error)) error {
	prefix := []byte{spaceCatalog}
	return s.store.View(func(r *store.Reader) error {
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

func (s *Service) loadTable(key, text []byte, counts func(id uint32) (*stats, error)) error {
	name, _, err := store.DecodeEscaped(key[1:])
	if err != nil {
		return err
	}
	def := new(definition)
	if err := json.Unmarshal(text, def); err != nil {
		return fmt.Errorf("the definition of a table cannot be read: %w", err)
	}
	if def.Restoring {
		return s.abandon(key, def)
	}
	def.raiseWarm()
	t := s.newTable(def, func(id uint32) *stats {
		s.nextID = max(s.nextID, id)
		counted, countErr := counts(id)
		if countErr != nil {
			err = countErr
		}
		return counted
	})
	a := s.loading(string(name))
	a.measure(t)
	t.inheritAvailability(nil)
	s.tableKeys.sealTable(t)
	nameTable(s.store.Names(), a.name, def)
	(*a.tables.Load())[def.Name] = t
	if err != nil {
		return err
	}
	return s.openLog(t)
}

// loading is the account of a name, while all are taken from the store.
func (s *Service) loading(name string) *account {
	a, ok := s.accounts[name]
	if !ok {
		a = newAccount(s, name)
		s.accounts[name] = a
	}
	return a
}

// saveStats writes the counts of all tables and indexes. They are kept in memory meanwhile: a counter in
// each write's batch would cost as much as a small item.
func (s *Service) saveStats() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.store.Update(store.Latch([]byte{spaceCounts}), func(tx *store.Tx) error {
		for _, a := range s.accounts {
			for _, t := range *a.tables.Load() {
				if s.tableKeys.locked(t.def.ID) { // it could not be counted
					continue
				}
				if err := saveTableStats(tx, t); err != nil {
					return err
				}
			}
		}
		// That it is there says that the counts are, and right. Who goes on makes no id again.
		return tx.Set([]byte{spaceCounts}, appendCounts(s.random.State(), 0))
	})
}

func saveTableStats(tx *store.Tx, t *table) error {
	save := func(id uint32, s *stats) error {
		return tx.Set(countsKey(id), appendCounts(uint64(s.items.Load()), uint64(s.bytes.Load())))
	}
	if err := save(t.def.ID, t.stats); err != nil {
		return err
	}
	for _, x := range t.indexes {
		if err := save(x.id, x.stats); err != nil {
			return err
		}
	}
	return nil
}

func appendCounts(a, b uint64) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, a), b)
}

func countsKey(id uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte{spaceCounts}, id)
}

// takeStats gives the counts that saveStats wrote and removes them, so that a process that dies leaves
// none; without them they are not complete, and every item is counted.
func (s *Service) takeStats() (complete bool, counts func(id uint32) (*stats, error), err error) {
	saved := map[string][2]uint64{}
	marker := []byte{spaceCounts}
	err = s.store.Update(store.Latch(marker), func(tx *store.Tx) error {
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
		s.random.Seed(last[0])
	}
	return complete, func(id uint32) (*stats, error) {
		counted := new(stats)
		if !complete {
			return counted, s.count(id, counted)
		}
		c, known := saved[string(countsKey(id))]
		if !known { // of a table that was hidden, or could not be read
			return counted, s.count(id, counted)
		}
		counted.items.Store(int64(c[0]))
		counted.bytes.Store(int64(c[1]))
		return counted, nil
	}, err
}

// count reads every item of a table or an index.
func (s *Service) count(id uint32, into *stats) error {
	return s.store.View(func(r *store.Reader) error {
		lo, hi := spaceOf(id)
		it := r.Iter(lo, hi, false)
		defer it.Close()
		for it.Next() {
			if v := it.Value(); v != nil {
				into.add(1, int64(item.Value(v).ItemSize()))
			}
		}
		if err := it.Close(); !errors.Is(err, store.ErrLocked) { // else it is counted when its key can be opened
			return err
		}
		return nil
	})
}
