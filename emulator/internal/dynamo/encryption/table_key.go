package encryption

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/json"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// PrepareKey encrypts the table key by the KMS key of a new definition; work, which may be nil, stores it. A table that
// needs a table key and has none gets one, and its existing items are sealed later (Sealing). The table key is stored
// before it seals anything. a.DDL must be closed.
func (p *Extension) PrepareKey(a *engine.Account, def *engine.Definition) (work func(tx *store.Tx) error, err error) {
	arn := ""
	if def.SSE != nil {
		arn = def.SSE.KMSMasterKeyArn
	}
	known := p.TableKeys.get(def.ID)
	switch {
	case p.KMS == nil, known == nil && (arn == "" || !a.Engine.Store.OnDisk()), known != nil && known.KeyARN == arn:
		return nil, nil
	case known == nil:
		def.Sealing = true
		return nil, p.makeKey(a, def, arn)
	}
	plain, err := p.plaintextKey(known)
	if err != nil {
		return nil, err
	}
	next, err := p.wrap(a, def.Name, arn, plain)
	if err != nil {
		return nil, err
	}
	return func(tx *store.Tx) error {
		tx.OnCommit(func() { p.TableKeys.put(def.ID, next, nil) })
		return saveKey(tx, def.ID, next)
	}, nil
}

// makeKey creates and stores a table key.
func (p *Extension) makeKey(a *engine.Account, def *engine.Definition, arn string) error {
	plain := make([]byte, 32)
	rand.Read(plain) // never fails
	k, err := p.wrap(a, def.Name, arn, plain)
	if err != nil {
		return err
	}
	aead, err := newAEAD(plain)
	if err != nil {
		return err
	}
	if err := a.Engine.Store.Update(store.Latch([]byte{engine.SpaceKeys}), func(tx *store.Tx) error {
		return saveKey(tx, def.ID, k)
	}); err != nil {
		return err
	}
	p.TableKeys.put(def.ID, k, aead)
	engine.StateOf[*accountKeys](a).count.Add(1)
	return nil
}

// wrap encrypts a table key by the KMS key with that ARN; an empty ARN means an AWS owned key, which stores it in
// plain.
func (p *Extension) wrap(a *engine.Account, table, arn string, plain []byte) (*tableKey, error) {
	k := &tableKey{Account: a.Name, Table: table, KeyARN: arn}
	if arn == "" {
		k.Plain = plain
		return k, nil
	}
	var err error
	if k.Sealed, err = p.KMS.EncryptTableKey(a.Name, arn, plain, k.encryptionContext(a.Engine)); err != nil {
		return nil, KeyError(a.Engine, err)
	}
	return k, nil
}

func saveKey(tx *store.Tx, id uint32, k *tableKey) error {
	text, err := json.Marshal(k)
	if err != nil {
		return err
	}
	return tx.Set(keyOf(id), text)
}

// keyOf returns the store key of a table's key.
func keyOf(id uint32) []byte { return binary.BigEndian.AppendUint32([]byte{engine.SpaceKeys}, id) }
