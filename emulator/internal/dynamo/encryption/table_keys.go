package encryption

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"encoding/json"
	"errors"
	"maps"
	"sync"

	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// In a folder, the items of a table that is encrypted by a customer's key are sealed by a key of the table's own: its
// items, the entries of its indexes, and its change log. The table key lies beside them, encrypted by the customer's
// key. Another customer's key, or the service's, encrypts the table key anew; what it has sealed stays. Backups are
// sealed by the key of their table.

// tableKey is a table key as the store keeps it, in JSON.
type tableKey struct {
	Account string
	Table   string // its name
	KeyARN  string // of the customer's key; empty where the table has the service's
	Sealed  []byte // by the customer's key
	Plain   []byte // where there is none: the folder is encrypted all the same
}

// context is what the customer's key binds the table key to, as in AWS.
func (k *tableKey) context() map[string]string {
	return map[string]string{"aws:dynamodb:tableName": k.Table, "aws:dynamodb:subscriberId": accounts.Number(k.Account)}
}

// tableKeys has the table keys.
type tableKeys struct {
	mu     sync.Mutex
	known  map[uint32]*tableKey   // by table id
	Opened map[uint32]cipher.AEAD // those of them that are known in plain
	Spaces map[uint32]uint32      // by the id of a table, an index or a backup that has a key: its table's
}

// locked says whether a table has a key that could not be opened.
func (v *tableKeys) locked(id uint32) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.known[id] != nil && v.Opened[id] == nil
}

// of is a table's key, nil if it has none.
func (v *tableKeys) of(id uint32) *tableKey {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.known[id]
}

// put makes k a table's key. aead, which may be nil, is k in plain, where that was not known.
func (v *tableKeys) put(id uint32, k *tableKey, aead cipher.AEAD) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.known[id] = k
	if aead != nil {
		v.Opened[id] = aead
	}
}

// SealTable has what lies in the spaces of a table sealed from now on, if the table has a key.
func (v *tableKeys) SealTable(t *engine.Table) {
	v.SealSpace(t.Def.ID, t.Def.ID)
	for _, x := range t.Indexes {
		v.SealSpace(t.Def.ID, x.ID)
	}
}

// SealSpace does so for one space: that of a table, of an index, or of a backup, whose items are sealed by the key of
// their table.
func (v *tableKeys) SealSpace(table, space uint32) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.known[table] != nil {
		v.Spaces[space] = table
	}
}

// InstallSealer hands the store the keys of the moment, and whose they are.
func (v *tableKeys) InstallSealer(s *store.Store) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.known) == 0 {
		s.SetSealer(nil)
		return
	}
	s.SetSealer(&Sealer{maps.Clone(v.Opened), maps.Clone(v.Spaces)})
}

// LoadKeys takes the table keys from the store, and opens those that it can.
func (p *Plane) LoadKeys() error {
	p.TableKeys.mu.Lock()
	p.TableKeys.known, p.TableKeys.Opened, p.TableKeys.Spaces = map[uint32]*tableKey{}, map[uint32]cipher.AEAD{}, map[uint32]uint32{}
	p.TableKeys.mu.Unlock()
	prefix := []byte{engine.SpaceKeys}
	var ids []uint32
	err := p.engine.Store.View(func(r *store.Reader) error {
		it := r.Iter(prefix, store.PrefixEnd(prefix), false)
		defer it.Close()
		for it.Next() {
			k, id := new(tableKey), binary.BigEndian.Uint32(it.Key()[1:])
			if err := json.Unmarshal(it.Value(), k); err != nil {
				return err
			}
			p.TableKeys.put(id, k, nil)
			ids = append(ids, id)
			p.engine.UseID(id) // a key outlives its table: what it sealed may be in the change log still
		}
		return it.Close()
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := p.openKey(id); err != nil && !isKeyError(err) {
			return err
		}
	}
	p.TableKeys.InstallSealer(p.engine.Store)
	return nil
}

// openKey opens a table's key by the customer's, unless it is open.
func (p *Plane) openKey(id uint32) error {
	if !p.TableKeys.locked(id) {
		return nil
	}
	k := p.TableKeys.of(id)
	plain, err := p.plainKey(k)
	if err != nil {
		return err
	}
	aead, err := SealingBy(plain)
	if err == nil {
		p.TableKeys.put(id, k, aead)
	}
	return err
}

// plainKey is a table key itself.
func (p *Plane) plainKey(k *tableKey) ([]byte, error) {
	if k.KeyARN == "" {
		return k.Plain, nil
	}
	if p.Keys == nil {
		return nil, store.ErrLocked
	}
	plain, err := p.Keys.OpenTableKey(k.Account, k.KeyARN, k.Sealed, k.context())
	if err != nil {
		return nil, KeyError(p.engine, err)
	}
	return plain, nil
}

// isKeyError tells that KMS refused a key from anything that went wrong.
func isKeyError(err error) bool {
	var refused *wire.Error
	return errors.As(err, &refused) || errors.Is(err, store.ErrLocked)
}

// SealingBy is the cipher that seals values by a table key of 32 bytes.
func SealingBy(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
