package encryption

import (
	"encoding/binary"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// RemoveExpired removes the keys of the account's deleted tables once nothing in the store is sealed by them: the
// changes in the log can be read for a day, and backups until they are deleted.
func (p *Extension) RemoveExpired(a *engine.Account) (next time.Time, err error) {
	var unused []uint32
	for id, spaces := range p.TableKeys.spacesOf(a.Name) {
		if a.Engine.Published(id) != nil {
			continue
		}
		seals, err := p.sealsAny(spaces)
		switch {
		case err != nil:
			return next, err
		case seals:
			next = a.Engine.Clock.Now().Add(24 * time.Hour)
		default:
			unused = append(unused, id)
		}
	}
	if len(unused) == 0 {
		return next, nil
	}
	if err := a.Engine.Store.Update(store.Latch([]byte{engine.SpaceKeys}), func(tx *store.Tx) error {
		for _, id := range unused {
			if err := tx.Delete(keyOf(id)); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return next, err
	}
	p.TableKeys.forget(unused)
	p.TableKeys.InstallSealer(a.Engine.Store)
	return next, nil
}

// sealsAny reports whether the store has items, changes or items of backups under the ids.
func (p *Extension) sealsAny(ids []uint32) (found bool, err error) {
	err = p.engine.Store.View(func(r *store.Reader) error {
		for _, id := range ids {
			items, _ := engine.KeySpan(id)
			backup := binary.BigEndian.AppendUint32([]byte{engine.SpaceBackups, engine.BackupItems}, id)
			for _, prefix := range [][]byte{items, changelog.Prefix(id), backup} {
				it := r.Iter(prefix, store.PrefixEnd(prefix), false)
				found = found || it.Next() && !isLogEnd(it.Key())
				if err := it.Close(); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return found, err
}

// any reports whether there are table keys.
func (k *tableKeys) any() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.keys) > 0
}

// BeginFilling keeps the key of a table that is about to be filled before it is published. EndFilling must follow.
func (p *Extension) BeginFilling(def *engine.Definition) {
	p.TableKeys.mu.Lock()
	defer p.TableKeys.mu.Unlock()
	if p.TableKeys.filling == nil {
		p.TableKeys.filling = map[uint32]bool{}
	}
	p.TableKeys.filling[def.ID] = true
}

// EndFilling ends BeginFilling, when the table is published, or nothing is left of it and its key can be removed.
func (p *Extension) EndFilling(def *engine.Definition) {
	p.TableKeys.mu.Lock()
	defer p.TableKeys.mu.Unlock()
	delete(p.TableKeys.filling, def.ID)
	if p.TableKeys.keys[def.ID] != nil {
		p.engine.ScheduleRemoval()
	}
}

// spacesOf returns, for each table of an account that has or had a key, the ids whose values the key seals. It leaves
// out the tables that are being filled.
func (k *tableKeys) spacesOf(account string) map[uint32][]uint32 {
	k.mu.Lock()
	defer k.mu.Unlock()
	spaces := map[uint32][]uint32{}
	for id, key := range k.keys {
		if key.Account == account && !k.filling[id] {
			spaces[id] = []uint32{id}
		}
	}
	for space, id := range k.tableIDs {
		if spaces[id] != nil && space != id {
			spaces[id] = append(spaces[id], space)
		}
	}
	return spaces
}

// forget removes the keys of tables, and what they sealed.
func (k *tableKeys) forget(tables []uint32) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, id := range tables {
		delete(k.keys, id)
		delete(k.aeads, id)
	}
	for space, id := range k.tableIDs {
		if k.keys[id] == nil {
			delete(k.tableIDs, space)
		}
	}
}
