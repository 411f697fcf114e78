package index

import (
	"cmp"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// maxComputed is the maximum number of computed properties of a container ("Computed properties in Azure Cosmos DB for
// NoSQL").
const maxComputed = 20

// ParseComputed parses a container's computed properties. If one breaks a rule, it returns the first such rule as the
// error, and still the properties that can be evaluated.
func ParseComputed(list doc.Value) (map[string]*sql.Computed, *wire.Error) {
	if !list.Defined() || list.Kind() == doc.Null {
		return nil, nil
	}
	var broken *wire.Error
	if list.Kind() != doc.List || list.Len() > maxComputed {
		broken = wire.InvalidInput("A container has an array of up to %d computed properties.", maxComputed)
	}
	computed := map[string]*sql.Computed{}
	for i, property := range list.Elements() {
		broken = cmp.Or(broken, addComputed(computed, i, property))
	}
	return computed, broken
}

// addComputed adds a computed property. Errors: its name is in use, or its query is invalid.
func addComputed(computed map[string]*sql.Computed, i int, v doc.Value) *wire.Error {
	name, query := v.Field("name"), v.Field("query")
	if name.Kind() != doc.Text || query.Kind() != doc.Text {
		return wire.ServiceError("One of the specified inputs is invalid")
	}
	if computed[name.Str()] != nil {
		return wire.ServiceError("Computed property name '%s' cannot be used in multiple definitions.", name.Str())
	}
	property, err := sql.NewComputed(name.Str(), query.Str(), i)
	if property != nil {
		computed[name.Str()] = property
	}
	if err != nil {
		return wire.ServiceError("%s", err)
	}
	return nil
}

// CheckComputed rejects spatial indexes on computed properties.
func CheckComputed(container doc.Value) *wire.Error {
	for i, property := range container.Field("computedProperties").Elements() {
		for _, spatial := range container.Field("indexingPolicy").Field("spatialIndexes").Elements() {
			if p, err := parseSpatialPath(spatial.Field("path").Str()); err == nil && len(p) > 0 &&
				p[0].Name == property.Field("name").Str() {
				return wire.ServiceError(
					"Computed property '%s' at index (%d) has a spatial index. Remove the spatial index on this path.", p[0].Name, i)
			}
		}
	}
	return nil
}
