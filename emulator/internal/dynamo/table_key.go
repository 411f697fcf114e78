package dynamo

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/json"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// keyFor has a table's own key encrypted by the customer's key of its new definition. A table that has none yet, and needs one,
// gets it, and its items of before are to be sealed. The store has the key before anything is sealed by it. a.ddl must be closed.
func (a *account) keyFor(def *definition) (work func(tx *store.Tx) error, err error) {
	arn := ""
	if def.SSE != nil {
		arn = def.SSE.KMSMasterKeyArn
	}
	known := a.service.tableKeys.of(def.ID)
	switch {
	case a.service.keys == nil, known == nil && (arn == "" || !a.service.store.OnDisk()), known != nil && known.KeyARN == arn:
		return nil, nil
	case known == nil:
		def.Sealing = true
		return nil, a.makeKey(def, arn)
	}
	plain, err := a.service.plainKey(known)
	if err != nil {
		return nil, err
	}
	next, err := a.wrap(def.Name, arn, plain)
	if err != nil {
		return nil, err
	}
	return func(tx *store.Tx) error {
		a.service.tableKeys.put(def.ID, next, nil)
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
	if err := a.service.store.Update(store.Latch([]byte{spaceKeys}), func(tx *store.Tx) error { return saveKey(tx, def.ID, k) }); err != nil {
		return err
	}
	a.service.tableKeys.put(def.ID, k, aead)
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
	if k.Sealed, err = a.service.keys.SealTableKey(a.name, arn, plain, k.context()); err != nil {
		return nil, a.service.keyError(err)
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

// sealExisting seals what was in a table, its indexes and its change log before it had a key. It runs in transactions of their
// own; what a dead process left is done again.
func (a *account) sealExisting(t *table) error {
	ranges := [][2][]byte{logSpace(t.def.ID)}
	lo, hi := spaceOf(t.def.ID)
	ranges = append(ranges, [2][]byte{lo, hi})
	for _, x := range t.indexes {
		lo, hi := spaceOf(x.id)
		ranges = append(ranges, [2][]byte{lo, hi})
	}
	for _, r := range ranges {
		if err := a.eachChunkOf(t, r[0], r[1], func(tx *store.Tx, key, value []byte) error { return tx.Append(key, value) }); err != nil {
			return err
		}
	}
	return nil
}

func logSpace(id uint32) [2][]byte {
	lo := binary.BigEndian.AppendUint32([]byte{spaceLog}, id)
	return [2][]byte{lo, store.PrefixEnd(lo)}
}
