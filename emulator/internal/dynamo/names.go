package dynamo

import (
	"encoding/json"
	"fmt"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// What lies where in the store, for messages about damage.

// nameTable names the keys of a table, its indexes and its change log.
func nameTable(n *store.Names, account string, def *definition) {
	table := fmt.Sprintf("table %q%s", def.Name, ofAccount(account))
	n.Set(appendSpace(nil, def.ID), store.Whole, table)
	n.Set(logSpace(def.ID)[0], store.Part, "changes of "+table)
	for _, all := range [][]indexDefinition{def.Global, def.Local} {
		for _, x := range all {
			n.Set(appendSpace(nil, x.ID), store.Part, fmt.Sprintf("index %q of %s", x.Name, table))
		}
	}
}

// ofAccount is what the name of an account adds to that of a table: nothing where all requests share one.
func ofAccount(account string) string {
	if account == "" {
		return ""
	}
	return " of " + account
}

// forgetTable removes the names of a table that was deleted. The items of one with point-in-time recovery are a backup's now.
func forgetTable(n *store.Names, def *definition) {
	n.Forget(logSpace(def.ID)[0])
	for _, id := range def.ids() {
		if id != def.ID || def.Recovery == nil {
			n.Forget(appendSpace(nil, id))
		}
	}
}

func nameBackup(n *store.Names, account string, b *backup) {
	n.Set(b.space(), store.Part, fmt.Sprintf("backup %q of table %q%s", b.Name, b.Definition.Name, ofAccount(account)))
}

// forgetNames removes the names of everything that a store held before its content was replaced.
func forgetNames(n *store.Names) {
	n.Forget([]byte{spaceItems})
	n.Forget([]byte{spaceBackups, backupItems})
	n.Forget([]byte{spaceLog, 0}) // no id comes near the first byte, where logs of Cosmos DB have a bit
}

// Survey names what DynamoDB has in a store, and opens by keys, which may be nil, what tables are sealed by. It changes nothing,
// and leaves out what cannot be read.
func Survey(s *store.Store, keys Keys) {
	eachUnder(s, []byte{spaceCatalog}, func(key, value []byte) {
		account, _, err := store.DecodeEscaped(key[1:])
		def := new(definition)
		if err == nil && json.Unmarshal(value, def) == nil {
			nameTable(s.Names(), string(account), def)
		}
	})
	eachUnder(s, []byte{spaceBackups, backupMeta}, func(_, value []byte) {
		b := storedBackup{backup: new(backup)}
		if json.Unmarshal(value, &b) == nil && b.Definition != nil {
			nameBackup(s.Names(), b.Account, b.backup)
		}
	})
	_ = (&Service{store: s, keys: keys}).loadKeys()
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
