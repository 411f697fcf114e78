package encryption

import (
	"crypto/cipher"
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Sealer is a moment's table keys, for the store: it does not change.
type Sealer struct {
	Opened map[uint32]cipher.AEAD // by table id
	Spaces map[uint32]uint32      // the table whose the id of a table, an index or a backup is
}

// A sealed value has a mark, which no other value begins with, the table's id, and what AES-256-GCM made of the value:
// nonce, text and tag. The key under which it lies is authenticated with it, so that no value can be put in another's
// place.
const (
	sealedMark   = "\xff\x5e"
	sealedHeader = len(sealedMark) + 4
)

// isLogEnd says whether a key is where a log keeps the position to go on from, which is read before a key may be at
// hand.
func isLogEnd(key []byte) bool {
	return key[0] == engine.SpaceLog && string(key[engine.SpacePrefix:]) == "\xff\xff\xff\xff\xff\xff\xff\xff"
}

// sealedSpace is the id in a key under which values are sealed where the table has a key: of an item, a change, or an
// item of a backup.
func sealedSpace(key []byte) (id uint32, ok bool) {
	switch {
	case len(key) <= engine.SpacePrefix+1:
		return 0, false
	case key[0] == engine.SpaceItems, key[0] == engine.SpaceLog && !isLogEnd(key):
		return binary.BigEndian.Uint32(key[1:]), true
	case key[0] == engine.SpaceBackups && key[1] == engine.BackupItems:
		return binary.BigEndian.Uint32(key[2:]), true
	}
	return 0, false
}

// Seal implements store.Sealer.
func (r *Sealer) Seal(dst, key, value []byte) ([]byte, bool, error) {
	id, ok := sealedSpace(key)
	if !ok {
		return nil, false, nil
	}
	table, ok := r.Spaces[id]
	if !ok {
		return nil, false, nil
	}
	aead := r.Opened[table]
	if aead == nil {
		return nil, false, store.ErrLocked
	}
	dst = binary.BigEndian.AppendUint32(append(dst, sealedMark...), table)
	return aead.Seal(dst, nil, value, key), true, nil
}

// Open implements store.Sealer.
func (r *Sealer) Open(dst, key, stored []byte) ([]byte, bool, error) {
	if len(stored) < sealedHeader || string(stored[:len(sealedMark)]) != sealedMark {
		return nil, false, nil
	}
	aead := r.Opened[binary.BigEndian.Uint32(stored[len(sealedMark):])]
	if aead == nil {
		return nil, false, store.ErrLocked
	}
	value, err := aead.Open(dst, nil, stored[sealedHeader:], key)
	return value, err == nil, err
}
