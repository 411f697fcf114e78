package dynamo

import (
	"encoding/json"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/backup"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/encryption"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// forgetNames removes the names of all key ranges of DynamoDB, before the store's new content is loaded.
func forgetNames(n *store.Names) {
	n.Forget([]byte{engine.SpaceItems})
	n.Forget([]byte{engine.SpaceBackups, engine.BackupItems})
	n.Forget([]byte{engine.SpaceLog, 0}) // ids never reach the first byte, where logs of Cosmos DB have a bit set
}

// Survey names DynamoDB's key ranges in a store, and installs the sealing keys of tables, which keys, which may be nil,
// decrypts. It changes nothing and skips what cannot be read.
func Survey(s *store.Store, kms encryption.KMS) {
	eachWithPrefix(s, []byte{engine.SpaceCatalog}, func(key, value []byte) {
		account, _, err := store.DecodeEscaped(key[1:])
		def := new(engine.Definition)
		if err == nil && json.Unmarshal(value, def) == nil {
			engine.NameTable(s.Names(), string(account), def)
		}
	})
	eachWithPrefix(s, []byte{engine.SpaceBackups, engine.BackupMeta}, func(_, value []byte) {
		b := backup.StoredBackup{Backup: new(backup.Backup)}
		if json.Unmarshal(value, &b) == nil && b.Definition != nil {
			backup.NameBackup(s.Names(), b.Account, b.Backup)
		}
	})
	_ = encryption.New(&engine.Engine{EngineConfig: engine.EngineConfig{Store: s}}, kms).LoadKeys()
}

// eachWithPrefix visits every readable entry whose key has the prefix.
func eachWithPrefix(s *store.Store, prefix []byte, visit func(key, value []byte)) {
	_ = s.View(func(r *store.Reader) error {
		it := r.Iter(prefix, store.PrefixEnd(prefix), false)
		defer it.Close()
		for it.Next() {
			visit(it.Key(), it.Value())
		}
		return nil
	})
}
