package engine

import (
	"fmt"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// registerContainerName registers names for the keys of a container and of its changes, for messages about corruption.
func registerContainerName(n *store.Names, number uint32, database, name string) {
	container := fmt.Sprintf("container %q", database+"/"+name)
	n.Set(ContainerPrefix(number), store.Whole, container)
	n.Set(changelog.Prefix(number|logBit), store.Part, "changes of "+container)
	n.Set(changelog.Prefix(number|historyLogBits), store.Part, "continuous backup of "+container)
}

func unregisterContainerName(n *store.Names, number uint32) {
	n.Forget(ContainerPrefix(number))
	n.Forget(changelog.Prefix(number | logBit))
	n.Forget(changelog.Prefix(number | historyLogBits))
}

// unregisterNames removes all registered names, before the content of the store is replaced.
func unregisterNames(n *store.Names) {
	n.Forget([]byte{Space, partContainers})
	n.Forget(changelog.Prefix(logBit)[:2]) // no container number reaches the second byte
	n.Forget(changelog.Prefix(historyLogBits)[:2])
}

// RegisterNames registers the names of all Cosmos DB containers in a store. It changes nothing in the store and skips
// what it cannot read.
func RegisterNames(s *store.Store) {
	_ = s.View(func(r *store.Reader) error {
		databases := map[string]string{} // names by resource id
		_ = eachMeta(r, metaDatabase, func(number uint32, v doc.Value) error {
			databases[wire.DatabaseRID(number)] = v.Field("id").Str()
			return nil
		})
		return eachMeta(r, metaContainer, func(number uint32, v doc.Value) error {
			registerContainerName(s.Names(), number, databases[v.Field("database").Str()],
				v.Field("definition").Field("id").Str())
			return nil
		})
	})
}
