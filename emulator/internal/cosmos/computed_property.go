package cosmos

import (
	"slices"

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
	for i, one := range list.Elements() {
		name, query := one.Field("name"), one.Field("query")
		if name.Kind() != doc.Text || query.Kind() != doc.Text {
			return nil, serviceError("One of the specified inputs is invalid")
		}
		if computed[name.Str()] != nil {
			return nil, serviceError("Computed property name '%s' cannot be used in multiple definitions.", name.Str())
		}
		property, err := sql.NewComputed(name.Str(), query.Str(), i)
		if err != nil {
			return nil, serviceError("%s", err)
		}
		computed[name.Str()] = property
	}
	return computed, nil
}

// checkComputed holds the spatial indexes of a policy apart from the computed properties, which have none.
func checkComputed(container doc.Value) *Error {
	for i, one := range container.Field("computedProperties").Elements() {
		for _, spatial := range container.Field("indexingPolicy").Field("spatialIndexes").Elements() {
			if p, err := parseSpatialPath(spatial.Field("path").Str()); err == nil && len(p) > 0 && p[0].Name == one.Field("name").Str() {
				return serviceError("Computed property '%s' at index (%d) has a spatial index. Remove the spatial index on this path.", p[0].Name, i)
			}
		}
	}
	return nil
}

// bind is an index's paths with the computed properties that they begin with. An index is of a property with its query: where
// that becomes another one by a replace of the container, so does the index.
func (d *definition) bind(parts composite) composite {
	if len(d.computed) == 0 {
		return parts
	}
	parts = slices.Clone(parts)
	for i := range parts {
		parts[i].of = d.computed[parts[i].steps[0].Name]
	}
	return parts
}

// seen is an item's document as the paths of an index see it: with the computed properties that they begin with. v is its body.
func (parts composite) seen(c *container, i *item, v doc.Value) doc.Value {
	if !slices.ContainsFunc(parts, func(p compositePath) bool { return p.of != nil }) {
		return v
	}
	full, err := c.value(i)
	if err != nil {
		return v
	}
	for _, p := range parts {
		if p.of == nil {
			continue
		}
		if value := p.of.Of(full); value.Defined() {
			v = v.With(p.of.Name, value)
		} else {
			v = v.Without(p.of.Name)
		}
	}
	return v
}
