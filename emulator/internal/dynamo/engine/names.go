package engine

import (
	"fmt"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// What lies where in the store, for messages about damage.

// nameTable names the keys of a table, its indexes and its change log.
func NameTable(n *store.Names, account string, def *Definition) {
	table := fmt.Sprintf("table %q%s", def.Name, OfAccount(account))
	n.Set(AppendSpace(nil, def.ID), store.Whole, table)
	n.Set(logSpace(def.ID)[0], store.Part, "changes of "+table)
	for _, all := range [][]IndexDefinition{def.Global, def.Local} {
		for _, x := range all {
			n.Set(AppendSpace(nil, x.ID), store.Part, fmt.Sprintf("index %q of %s", x.Name, table))
		}
	}
}

// OfAccount is what the name of an account adds to that of a table: nothing where all requests share one.
func OfAccount(account string) string {
	if account == "" {
		return ""
	}
	return " of " + account
}

// forgetTable removes the names of a table that was deleted. The items of one with point-in-time recovery are a
// backup's now.
func forgetTable(n *store.Names, def *Definition) {
	n.Forget(logSpace(def.ID)[0])
	for _, id := range def.IDs() {
		if id != def.ID || def.Recovery == nil {
			n.Forget(AppendSpace(nil, id))
		}
	}
}
