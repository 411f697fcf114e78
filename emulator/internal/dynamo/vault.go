package dynamo

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"encoding/json"
	"errors"
	"maps"
	"sync"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// In a folder, the items of a table that is encrypted by a customer's key are sealed by a key of the table's own: its items,
// the entries of its indexes, and its change log. The table key lies beside them, encrypted by the customer's key. Another
// customer's key, or the service's, encrypts the table key anew; what it has sealed stays. Backups are sealed by the key of
// their table.

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
	return map[string]string{"aws:dynamodb:tableName": k.Table, "aws:dynamodb:subscriberId": accountNumber(k.Account)}
}

// tableKeys has the table keys.
type tableKeys struct {
	mu     sync.Mutex
	known  map[uint32]*tableKey   // by table id
	opened map[uint32]cipher.AEAD // those of them that are known in plain
	spaces map[uint32]uint32      // by the id of a table, an index or a backup that has a key: its table's
}

// locked says whether a table has a key that could not be opened.
func (v *tableKeys) locked(id uint32) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.known[id] != nil && v.opened[id] == nil
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
		v.opened[id] = aead
	}
}

// sealTable has what lies in the spaces of a table sealed from now on, if the table has a key.
func (v *tableKeys) sealTable(t *table) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.known[t.def.ID] == nil {
		return
	}
	v.spaces[t.def.ID] = t.def.ID
	for _, x := range t.indexes {
		v.spaces[x.id] = t.def.ID
	}
}

// sealBackup does so for a backup, whose items are sealed by the key of its table.
func (v *tableKeys) sealBackup(b *backup) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.known[b.Definition.ID] != nil {
		v.spaces[b.ID] = b.Definition.ID
	}
}

// installSealer hands the store the keys of the moment, and whose they are.
func (v *tableKeys) installSealer(s *store.Store) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.known) == 0 {
		s.SetSealer(nil)
		return
	}
	s.SetSealer(&sealer{maps.Clone(v.opened), maps.Clone(v.spaces)})
}

// loadKeys takes the table keys from the store, and opens those that it can. s.mu must be held.
func (s *Service) loadKeys() error {
	s.tableKeys.mu.Lock()
	s.tableKeys.known, s.tableKeys.opened, s.tableKeys.spaces = map[uint32]*tableKey{}, map[uint32]cipher.AEAD{}, map[uint32]uint32{}
	s.tableKeys.mu.Unlock()
	prefix := []byte{spaceKeys}
	var ids []uint32
	err := s.store.View(func(r *store.Reader) error {
		it := r.Iter(prefix, store.PrefixEnd(prefix), false)
		defer it.Close()
		for it.Next() {
			k, id := new(tableKey), binary.BigEndian.Uint32(it.Key()[1:])
			if err := json.Unmarshal(it.Value(), k); err != nil {
				return err
			}
			s.tableKeys.put(id, k, nil)
			ids = append(ids, id)
			s.nextID = max(s.nextID, id) // a key outlives its table: what it sealed may be in the change log still
		}
		return it.Close()
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.openKey(id); err != nil && !isKeyError(err) {
			return err
		}
	}
	s.tableKeys.installSealer(s.store)
	return nil
}

// openKey opens a table's key by the customer's, unless it is open.
func (s *Service) openKey(id uint32) error {
	if !s.tableKeys.locked(id) {
		return nil
	}
	k := s.tableKeys.of(id)
	plain, err := s.plainKey(k)
	if err != nil {
		return err
	}
	aead, err := sealingBy(plain)
	if err == nil {
		s.tableKeys.put(id, k, aead)
	}
	return err
}

// plainKey is a table key itself.
func (s *Service) plainKey(k *tableKey) ([]byte, error) {
	if k.KeyARN == "" {
		return k.Plain, nil
	}
	if s.keys == nil {
		return nil, store.ErrLocked
	}
	plain, err := s.keys.OpenTableKey(k.Account, k.KeyARN, k.Sealed, k.context())
	if err != nil {
		return nil, s.keyError(err)
	}
	return plain, nil
}

// isKeyError tells that KMS refused a key from anything that went wrong.
func isKeyError(err error) bool {
	var refused *Error
	return errors.As(err, &refused) || errors.Is(err, store.ErrLocked)
}

func sealingBy(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
