package dynamo

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
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
	return map[string]string{"aws:dynamodb:tableName": k.Table, "aws:dynamodb:subscriberId": accountID}
}

// vault has the table keys.
type vault struct {
	mu     sync.Mutex
	known  map[uint32]*tableKey   // by table id
	opened map[uint32]cipher.AEAD // those of them that are known in plain
	spaces map[uint32]uint32      // by the id of a table, an index or a backup that has a key: its table's
}

// locked says whether a table has a key that could not be opened.
func (v *vault) locked(id uint32) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.known[id] != nil && v.opened[id] == nil
}

// of is a table's key, nil if it has none.
func (v *vault) of(id uint32) *tableKey {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.known[id]
}

// put makes k a table's key. aead, which may be nil, is k in plain, where that was not known.
func (v *vault) put(id uint32, k *tableKey, aead cipher.AEAD) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.known[id] = k
	if aead != nil {
		v.opened[id] = aead
	}
}

// enter has what lies in the spaces of a table sealed from now on, if the table has a key.
func (v *vault) enter(t *table) {
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

// enterBackup does so for a backup, whose items are sealed by the key of its table.
func (v *vault) enterBackup(b *backup) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.known[b.Definition.ID] != nil {
		v.spaces[b.ID] = b.Definition.ID
	}
}

// lay hands the store the keys of the moment, and whose they are.
func (v *vault) lay(s *store.Store) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.known) == 0 {
		s.SetSealer(nil)
		return
	}
	s.SetSealer(&ring{maps.Clone(v.opened), maps.Clone(v.spaces)})
}

// ring is a moment's table keys, for the store: it does not change.
type ring struct {
	opened map[uint32]cipher.AEAD // by table id
	spaces map[uint32]uint32      // the table whose the id of a table, an index or a backup is
}

// A sealed value has a mark, which no other value begins with, the table's id, and what AES-256-GCM made of the value: nonce,
// text and tag. The key under which it lies is authenticated with it, so that no value can be put in another's place.
const (
	sealedMark   = "\xff\x5e"
	sealedHeader = len(sealedMark) + 4
)

// isLogEnd says whether a key is where a log keeps the position to go on from, which is read before a key may be at hand.
func isLogEnd(key []byte) bool {
	return key[0] == spaceLog && string(key[spacePrefix:]) == "\xff\xff\xff\xff\xff\xff\xff\xff"
}

var errLocked = errors.New("the value is sealed by a table key that cannot be opened")

// sealedSpace is the id in a key under which values are sealed where the table has a key: of an item, a change, or an item of
// a backup.
func sealedSpace(key []byte) (id uint32, ok bool) {
	switch {
	case len(key) <= spacePrefix+1:
		return 0, false
	case key[0] == spaceItems, key[0] == spaceLog && !isLogEnd(key):
		return binary.BigEndian.Uint32(key[1:]), true
	case key[0] == spaceBackups && key[1] == backupItems:
		return binary.BigEndian.Uint32(key[2:]), true
	}
	return 0, false
}

// Seal implements store.Sealer.
func (r *ring) Seal(dst, key, value []byte) ([]byte, bool, error) {
	id, ok := sealedSpace(key)
	if !ok {
		return nil, false, nil
	}
	table, ok := r.spaces[id]
	if !ok {
		return nil, false, nil
	}
	aead := r.opened[table]
	if aead == nil {
		return nil, false, errLocked
	}
	dst = binary.BigEndian.AppendUint32(append(dst, sealedMark...), table)
	return aead.Seal(dst, nil, value, key), true, nil
}

// Open implements store.Sealer.
func (r *ring) Open(dst, key, stored []byte) ([]byte, bool, error) {
	if len(stored) < sealedHeader || string(stored[:len(sealedMark)]) != sealedMark {
		return nil, false, nil
	}
	aead := r.opened[binary.BigEndian.Uint32(stored[len(sealedMark):])]
	if aead == nil {
		return nil, false, errLocked
	}
	value, err := aead.Open(dst, nil, stored[sealedHeader:], key)
	return value, err == nil, err
}

// loadKeys takes the table keys from the store, and opens those that it can. s.mu must be held.
func (s *Service) loadKeys() error {
	s.vault.mu.Lock()
	s.vault.known, s.vault.opened, s.vault.spaces = map[uint32]*tableKey{}, map[uint32]cipher.AEAD{}, map[uint32]uint32{}
	s.vault.mu.Unlock()
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
			s.vault.put(id, k, nil)
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
	s.vault.lay(s.store)
	return nil
}

// openKey opens a table's key by the customer's, unless it is open.
func (s *Service) openKey(id uint32) error {
	if !s.vault.locked(id) {
		return nil
	}
	k := s.vault.of(id)
	plain, err := s.plainKey(k)
	if err != nil {
		return err
	}
	aead, err := sealingBy(plain)
	if err == nil {
		s.vault.put(id, k, aead)
	}
	return err
}

// plainKey is a table key itself.
func (s *Service) plainKey(k *tableKey) ([]byte, error) {
	if k.KeyARN == "" {
		return k.Plain, nil
	}
	if s.keys == nil {
		return nil, errLocked
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
	return errors.As(err, &refused) || errors.Is(err, errLocked)
}

func sealingBy(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// keyFor has a table's own key encrypted by the customer's key of its new definition. A table that has none yet, and needs one,
// gets it, and its items of before are to be sealed. The store has the key before anything is sealed by it. a.ddl must be held.
func (a *account) keyFor(def *definition) (work func(tx *store.Tx) error, err error) {
	arn := ""
	if def.SSE != nil {
		arn = def.SSE.KMSMasterKeyArn
	}
	known := a.vault.of(def.ID)
	switch {
	case a.keys == nil, known == nil && (arn == "" || !a.store.OnDisk()), known != nil && known.KeyARN == arn:
		return nil, nil
	case known == nil:
		def.Sealing = true
		return nil, a.makeKey(def, arn)
	}
	plain, err := a.plainKey(known)
	if err != nil {
		return nil, err
	}
	next, err := a.wrap(def.Name, arn, plain)
	if err != nil {
		return nil, err
	}
	return func(tx *store.Tx) error {
		a.vault.put(def.ID, next, nil)
		return saveKey(tx, def.ID, next)
	}, nil
}

// makeKey makes a table's key.
func (a *account) makeKey(def *definition, arn string) error {
	plain := make([]byte, 32)
	rand.Read(plain) // does not fail
	k, err := a.wrap(def.Name, arn, plain)
	if err != nil {
		return err
	}
	aead, err := sealingBy(plain)
	if err != nil {
		return err
	}
	if err := a.store.Update(store.Latch([]byte{spaceKeys}), func(tx *store.Tx) error { return saveKey(tx, def.ID, k) }); err != nil {
		return err
	}
	a.vault.put(def.ID, k, aead)
	return nil
}

// wrap encrypts a table key by the customer's key of that ARN; an empty one is the service's.
func (a *account) wrap(table, arn string, plain []byte) (*tableKey, error) {
	k := &tableKey{Account: a.name, Table: table, KeyARN: arn}
	if arn == "" {
		k.Plain = plain
		return k, nil
	}
	var err error
	if k.Sealed, err = a.keys.SealTableKey(a.name, arn, plain, k.context()); err != nil {
		return nil, a.keyError(err)
	}
	return k, nil
}

func saveKey(tx *store.Tx, id uint32, k *tableKey) error {
	text, err := json.Marshal(k)
	if err != nil {
		return err
	}
	return tx.Set(binary.BigEndian.AppendUint32([]byte{spaceKeys}, id), text)
}

// sealBefore seals what was in a table, its indexes and its change log before it had a key. It runs in transactions of their
// own; what a dead process left is done again.
func (a *account) sealBefore(t *table) error {
	ranges := [][2][]byte{logSpace(t.def.ID)}
	lo, hi := spaceOf(t.def.ID)
	ranges = append(ranges, [2][]byte{lo, hi})
	for _, x := range t.indexes {
		lo, hi := spaceOf(x.id)
		ranges = append(ranges, [2][]byte{lo, hi})
	}
	for _, r := range ranges {
		if err := a.eachChunkOf(r[0], r[1], func(tx *store.Tx, key, value []byte) error { return tx.Append(key, value) }); err != nil {
			return err
		}
	}
	return nil
}

func logSpace(id uint32) [2][]byte {
	lo := binary.BigEndian.AppendUint32([]byte{spaceLog}, id)
	return [2][]byte{lo, store.PrefixEnd(lo)}
}
