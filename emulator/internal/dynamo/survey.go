package dynamo

import (
	"encoding/json"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/backup"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/encryption"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// forgetNames removes the names of everything that a store held before its content was replaced.
func forgetNames(n *store.Names) {
	n.Forget([]byte{engine.SpaceItems})
	n.Forget([]byte{engine.SpaceBackups, engine.BackupItems})
	n.Forget([]byte{engine.SpaceLog, 0}) // no id comes near the first byte, where logs of Cosmos DB have a bit
}

// Survey names what DynamoDB has in a store, and opens by keys, which may be nil, what tables are sealed by. It changes
// nothing, and leaves out what cannot be read.
func Survey(s *store.Store, keys encryption.Keys) {
	eachUnder(s, []byte{engine.SpaceCatalog}, func(key, value []byte) {
		account, _, err := store.DecodeEscaped(key[1:])
		def := new(engine.Definition)
		if err == nil && json.Unmarshal(value, def) == nil {
			engine.NameTable(s.Names(), string(account), def)
		}
	})
	eachUnder(s, []byte{engine.SpaceBackups, engine.BackupMeta}, func(_, value []byte) {
		b := backup.StoredBackup{Backup: new(backup.Backup)}
		if json.Unmarshal(value, &b) == nil && b.Definition != nil {
			backup.NameBackup(s.Names(), b.Account, b.Backup)
		}
	})
	_ = encryption.New(&engine.Engine{EngineConfig: engine.EngineConfig{Store: s}}, keys).LoadKeys()
}

// eachUnder visits what can be read of the keys that begin with a prefix.
func eachUnder(s *store.Store, prefix []byte, visit func(key, value []byte)) {
	_ = s.View(func(r *store.Reader) error {
		it := r.Iter(prefix, store.PrefixEnd(prefix), false)
		defer it.Close()
		for it.Next() {
			visit(it.Key(), it.Value())
		}
		return nil
	})
}
