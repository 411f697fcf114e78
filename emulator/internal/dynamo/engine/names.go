package engine

import (
	"fmt"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// Names for ranges of store keys, for messages about damage.

// NameTable names the key ranges of a table, its indexes and its change log.
func NameTable(n *store.Names, account string, def *Definition) {
	table := fmt.Sprintf("table %q%s", def.Name, AccountSuffix(account))
	n.Set(AppendTablePrefix(nil, def.ID), store.Whole, table)
	n.Set(logSpan(def.ID)[0], store.Part, "changes of "+table)
	for _, x := range def.Vectors {
		n.Set(AppendTablePrefix(nil, x.ID), store.Part, fmt.Sprintf("vector index %q of %s", x.Name, table))
	}
	for _, all := range [][]IndexDefinition{def.Global, def.Local} {
		for _, x := range all {
			n.Set(AppendTablePrefix(nil, x.ID), store.Part, fmt.Sprintf("index %q of %s", x.Name, table))
		}
	}
}

// AccountSuffix returns the account's part of a table's name in messages: nothing if all requests share one account.
func AccountSuffix(account string) string {
	if account == "" {
		return ""
	}
	return " of " + account
}

// forgetTableNames removes the names of a deleted table. With point-in-time recovery its items now belong to a backup
// and keep their name.
func forgetTableNames(n *store.Names, def *Definition) {
	n.Forget(logSpan(def.ID)[0])
	for _, id := range def.IDs() {
		if id != def.ID || def.Recovery == nil {
			n.Forget(AppendTablePrefix(nil, id))
		}
	}
}
