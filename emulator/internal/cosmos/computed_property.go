package cosmos

import (
	"errors"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
)

// maxComputed is how many computed properties a container may have ("Computed properties in Azure Cosmos DB for NoSQL").
const maxComputed = 20

// parseComputed reads a container's computed properties.
func parseComputed(list doc.Value) (map[string]*sql.Computed, *Error) {
	if !list.Defined() || list.Kind() == doc.Null {
		return nil, nil
	}
	if list.Kind() != doc.List || list.Len() > maxComputed {
		return nil, invalidInput("A container has an array of up to %d computed properties.", maxComputed)
	}
	computed := map[string]*sql.Computed{}
	for _, one := range list.Elements() {
		name := one.Field("name").Str()
		if computed[name] != nil {
			return nil, invalidInput("The computed property name '%s' is there twice.", name)
		}
		property, err := sql.NewComputed(name, one.Field("query").Str())
		if refused := (*sql.Error)(nil); errors.As(err, &refused) {
			return nil, badRequest("Message: %s", refused.Body())
		}
		if err != nil {
			return nil, invalidInput("%s.", strings.ToUpper(err.Error()[:1])+err.Error()[1:])
		}
		computed[name] = property
	}
	return computed, nil
}

// isComputed says that a path is that of a computed property, or under it. Their values are found by reading items, not by
// indexes: replacing the container changes them all at once.
func (d *definition) isComputed(steps []doc.PathStep) bool {
	return len(steps) > 0 && d.computed[steps[0].Name] != nil
}
