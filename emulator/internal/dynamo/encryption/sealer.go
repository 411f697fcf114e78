package encryption

import (
	"crypto/cipher"
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// sealer is an immutable snapshot of the table keys, for the store.
type sealer struct {
	aeads    map[uint32]cipher.AEAD // decrypted table keys, by table id
	tableIDs map[uint32]uint32      // from the id of a table, an index or a backup to the id of its table
}

// A sealed value is a mark, with which no other value begins, the table's id, and the output of AES-256-GCM for the
// value: nonce, ciphertext and tag. The store key is authenticated with it, so that a value cannot be moved to another
// key.
const (
	sealedMark   = "\xff\x5e"
	sealedHeader = len(sealedMark) + 4
)

// isLogEnd reports whether a store key holds the last position of a log, which is read before a table key may be
// available.
func isLogEnd(key []byte) bool {
	return key[0] == engine.SpaceLog && string(key[engine.KeyPrefixLength:]) == "\xff\xff\xff\xff\xff\xff\xff\xff"
}

// sealedKeyID returns the id in a store key whose values are sealed if the table has a table key: the key of an item, a
// change, or an item of a backup.
func sealedKeyID(key []byte) (id uint32, ok bool) {
	switch {
	case len(key) <= engine.KeyPrefixLength+1:
		return 0, false
	case key[0] == engine.SpaceItems, key[0] == engine.SpaceLog && !isLogEnd(key):
		return binary.BigEndian.Uint32(key[1:]), true
	case key[0] == engine.SpaceBackups && key[1] == engine.BackupItems:
		return binary.BigEndian.Uint32(key[2:]), true
	}
	return 0, false
}

// Seal implements store.Sealer.
func (s *sealer) Seal(dst, key, value []byte) ([]byte, bool, error) {
	id, ok := sealedKeyID(key)
	if !ok {
		return nil, false, nil
	}
	table, ok := s.tableIDs[id]
	if !ok {
		return nil, false, nil
	}
	aead := s.aeads[table]
	if aead == nil {
		return nil, false, store.ErrLocked
	}
	dst = binary.BigEndian.AppendUint32(append(dst, sealedMark...), table)
	return aead.Seal(dst, nil, value, key), true, nil
}

// Open implements store.Sealer.
func (s *sealer) Open(dst, key, stored []byte) ([]byte, bool, error) {
	if len(stored) < sealedHeader || string(stored[:len(sealedMark)]) != sealedMark {
		return nil, false, nil
	}
	aead := s.aeads[binary.BigEndian.Uint32(stored[len(sealedMark):])]
	if aead == nil {
		return nil, false, store.ErrLocked
	}
	value, err := aead.Open(dst, nil, stored[sealedHeader:], key)
	return value, err == nil, err
}
