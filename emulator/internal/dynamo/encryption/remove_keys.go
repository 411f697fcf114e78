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
	engine.StateOf[*accountKeys](a).count.Add(-int64(len(unused)))
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

// accounts returns the account of each table key.
func (k *tableKeys) accounts() (all []string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, key := range k.keys {
		all = append(all, key.Account)
	}
	return all
}

// HoldKey keeps the key of a table, even if the table does not exist and the key seals nothing yet: the table is filled
// before it is published, or deleted while it is backed up. ReleaseKey must follow.
func (p *Extension) HoldKey(table uint32) {
	p.TableKeys.mu.Lock()
	defer p.TableKeys.mu.Unlock()
	if p.TableKeys.held == nil {
		p.TableKeys.held = map[uint32]int{}
	}
	p.TableKeys.held[table]++
}

// ReleaseKey ends HoldKey. The key is removed later if nothing needs it.
func (p *Extension) ReleaseKey(table uint32) {
	p.TableKeys.mu.Lock()
	defer p.TableKeys.mu.Unlock()
	if p.TableKeys.held[table]--; p.TableKeys.held[table] == 0 {
		delete(p.TableKeys.held, table)
	}
	if p.TableKeys.keys[table] != nil {
		p.engine.ScheduleRemoval()
	}
}

// spacesOf returns, for each table of an account that has or had a key, the ids whose values the key seals. It leaves
// out the keys that are held.
func (k *tableKeys) spacesOf(account string) map[uint32][]uint32 {
	k.mu.Lock()
	defer k.mu.Unlock()
	spaces := map[uint32][]uint32{}
	for id, key := range k.keys {
		if key.Account == account && k.held[id] == 0 {
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
