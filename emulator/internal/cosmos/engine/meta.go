package engine

import (
	"encoding/binary"
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// The kinds of definitions stored under partMeta.
const (
	metaDatabase  = keyspace.CatalogDatabase
	metaContainer = keyspace.CatalogContainer
)

// metaKey returns the key of a definition: kind is a letter, name can be any bytes.
func metaKey(kind byte, name []byte) []byte {
	return append([]byte{Space, partMeta, kind}, name...)
}

// numberedMetaKey returns the key of a definition whose name is a number.
func numberedMetaKey(kind byte, number uint32) []byte {
	return metaKey(kind, store.AppendUint32(nil, number))
}

// eachMeta visits all definitions of a kind whose names are numbers.
func eachMeta(r *store.Reader, kind byte, visit func(number uint32, v doc.Value) error) error {
	prefix := metaKey(kind, nil)
	it := r.Iter(prefix, store.PrefixEnd(prefix), false)
	defer it.Close()
	for it.Next() {
		v, err := doc.Parse(it.Value())
		if err != nil || len(it.Key()) != len(prefix)+4 {
			return errors.Join(errors.New("a definition in the store cannot be read"), err)
		}
		if err := visit(binary.BigEndian.Uint32(it.Key()[len(prefix):]), v); err != nil {
			return err
		}
	}
	return it.Close()
}
