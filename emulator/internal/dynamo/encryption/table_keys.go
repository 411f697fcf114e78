package encryption

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"encoding/json"
	"errors"
	"maps"
	"sync"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// In a folder, the values of a table that is encrypted by a KMS key are sealed by a table key of its own: its items,
// the entries of its indexes, and its change log. The table key is stored beside them, encrypted by the KMS key. When
// the KMS key changes, only the table key is encrypted again; sealed values stay as they are. A backup is sealed by the
// key of its table.

// tableKey is a table key as the store keeps it, in JSON.
type tableKey struct {
	Account string
	Table   string // its name
	KeyARN  string // of the KMS key; empty for an AWS owned key
	Sealed  []byte // encrypted by the KMS key
	Plain   []byte // with an AWS owned key; the folder's own encryption still protects it
}

// encryptionContext returns the encryption context of the table key, as in AWS.
func (k *tableKey) encryptionContext(e *engine.Engine) map[string]string {
	return map[string]string{"aws:dynamodb:tableName": k.Table, "aws:dynamodb:subscriberId": e.AccountID.Number(k.Account)}
}

// tableKeys holds the table keys.
type tableKeys struct {
	mu    sync.Mutex
	keys  map[uint32]*tableKey   // by table id
	aeads map[uint32]cipher.AEAD // the decrypted ones
	// TableIDs maps the id of a table, an index or a backup to the id of its table, if that has a key.
	tableIDs map[uint32]uint32
	held     map[uint32]int // by table id: how many need the key, whether or not it seals anything: see HoldKey
}

// locked reports whether a table has a table key that is not decrypted.
func (k *tableKeys) locked(id uint32) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.keys[id] != nil && k.aeads[id] == nil
}

// get returns a table's key, nil if it has none.
func (k *tableKeys) get(id uint32) *tableKey {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.keys[id]
}

// put sets a table's key. aead, which may be nil, is the decrypted key if it was not known yet.
func (k *tableKeys) put(id uint32, key *tableKey, aead cipher.AEAD) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.keys[id] = key
	if aead != nil {
		k.aeads[id] = aead
	}
}

// SealTable seals the table's values from now on, if the table has a table key. It takes effect with InstallSealer.
func (k *tableKeys) SealTable(t *engine.Table) {
	for _, id := range t.Def.IDs() {
		k.SealKeySpace(t.Def.ID, id)
	}
}

// SealKeySpace is SealTable for one id: that of a table, an index, or a backup, whose items are sealed by the key of
// their table.
func (k *tableKeys) SealKeySpace(table, space uint32) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.keys[table] != nil {
		k.tableIDs[space] = table
	}
}

// ForgetKeySpace ends SealKeySpace for an index or a backup that does not exist any more.
func (k *tableKeys) ForgetKeySpace(space uint32) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.tableIDs, space)
}

// InstallSealer gives the store a snapshot of the table keys.
func (k *tableKeys) InstallSealer(s *store.Store) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.keys) == 0 {
		s.SetSealer(nil)
		return
	}
	s.SetSealer(&sealer{maps.Clone(k.aeads), maps.Clone(k.tableIDs)})
}

// LoadKeys loads the table keys from the store, and decrypts those that it can.
func (p *Extension) LoadKeys() error {
	p.TableKeys.mu.Lock()
	p.TableKeys.keys, p.TableKeys.aeads, p.TableKeys.tableIDs = map[uint32]*tableKey{}, map[uint32]cipher.AEAD{},
		map[uint32]uint32{}
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
			p.engine.ReserveID(id) // a table key outlives its table: the change log may still contain values that it sealed
		}
		return it.Close()
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := p.decryptKey(id); err != nil && !isKeyError(err) {
			return err
		}
	}
	p.TableKeys.InstallSealer(p.engine.Store)
	return nil
}

// decryptKey decrypts a table's key, unless it is decrypted already.
func (p *Extension) decryptKey(id uint32) error {
	if !p.TableKeys.locked(id) {
		return nil
	}
	k := p.TableKeys.get(id)
	plain, err := p.plaintextKey(k)
	if err != nil {
		return err
	}
	aead, err := newAEAD(plain)
	if err == nil {
		p.TableKeys.put(id, k, aead)
	}
	return err
}

// plaintextKey returns the decrypted table key.
func (p *Extension) plaintextKey(k *tableKey) ([]byte, error) {
	if k.KeyARN == "" {
		return k.Plain, nil
	}
	if p.KMS == nil {
		return nil, store.ErrLocked
	}
	plain, err := p.KMS.DecryptTableKey(k.Account, k.KeyARN, k.Sealed, k.encryptionContext(p.engine))
	if err != nil {
		return nil, KeyError(p.engine, err)
	}
	return plain, nil
}

// isKeyError reports whether KMS refused a key, or there is no KMS, as opposed to any other failure.
func isKeyError(err error) bool {
	var serviceErr *wire.Error
	return errors.As(err, &serviceErr) || errors.Is(err, store.ErrLocked)
}

// newAEAD returns the AEAD that seals values by a table key of 32 bytes.
func newAEAD(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
