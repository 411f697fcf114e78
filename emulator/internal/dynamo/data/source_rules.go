package data

import (
	"iter"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/expr"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// projects reports whether the index projects the attribute.
func projects(x *engine.Index, attribute string) bool {
	if x.ProjectsAll {
		return true
	}
	_, found := slices.BinarySearch(x.Attributes, attribute)
	return found
}

// names returns the attributes, in the order of the paths, that the index does not project.
func (s *source) names(paths iter.Seq[expr.Path]) []string {
	if s.index == nil || s.index.ProjectsAll {
		return nil
	}
	var names engine.NamedAttributes
	for p := range paths {
		if name := p.Attribute(); !projects(s.index, name) {
			names.Add(name)
		}
	}
	return names.List
}

// withPaths is an expression with document paths: a condition, an update or a projection.
type withPaths interface {
	HasNestedPath() bool
	Paths() iter.Seq[expr.Path]
}

// checkScalars returns an error for paths that lead into key attributes, of the table or of any of its indexes.
func checkScalars(t *engine.Table, e withPaths) error {
	if !e.HasNestedPath() { // the usual case
		return nil
	}
	paths := slices.Collect(e.Paths())
	for _, name := range t.Keys.Names() {
		if err := expr.CheckScalar(paths, "Key", name); err != nil {
			return wire.ReadErrors.Convert(err)
		}
	}
	for _, x := range t.Indexes {
		for _, name := range x.Keys.Names() {
			if err := expr.CheckScalar(paths, "IndexKey", name); err != nil {
				return wire.ReadErrors.Convert(err)
			}
		}
	}
	return nil
}

// checkConditionPaths returns an error for a condition that leads into key attributes; nil is no condition. (DynamoDB
// Local; the service is recorded to do so for filters, projections and updates.)
func checkConditionPaths(t *engine.Table, c *expr.Condition) error {
	if c == nil {
		return nil
	}
	return checkScalars(t, c)
}

// checkProjectionPaths returns an error for a projection that leads into key attributes.
func (s *selection) checkProjectionPaths(t *engine.Table) error {
	if s.projection == nil {
		return nil
	}
	return checkScalars(t, s.projection)
}

// checkFilterPaths returns an error for a filter that leads into key attributes.
func (in *readRequest) checkFilterPaths(s *source) error {
	if in.filter == nil {
		return nil
	}
	return checkScalars(s.table, in.filter)
}

// checkFilter returns an error for a filter of a Query on the key attributes that it reads by, or on attributes that
// the index does not project. A Scan may have both (DynamoDB Local 3.3.1).
func (in *QueryInput) checkFilter(s *source) error {
	if in.filter == nil {
		return nil
	}
	filterName := "Filter Expression"
	if in.legacyFilter.set {
		filterName = "QueryFilter"
	}
	if err := in.filter.CheckFilter(filterName, &s.keys.KeySchema); err != nil {
		return wire.ReadErrors.Convert(err)
	}
	return s.checkFilterProjected(in.filter)
}

// checkFilterProjected returns an error for a filter on attributes that the index does not project.
func (s *source) checkFilterProjected(filter *expr.Condition) error {
	if names := s.names(filter.Paths()); names != nil {
		return wire.ParameterError("Secondary index " + s.index.Name + " does not project one or more filter attributes: [" +
			strings.Join(names, ", ") + "]")
	}
	return nil
}

// checkAllAttributes returns an error for reading all attributes from a global index that does not project them.
func (in *readRequest) checkAllAttributes(s *source) error {
	if in.Select.V == "ALL_ATTRIBUTES" && s.index != nil && !s.index.Local && !s.index.ProjectsAll {
		return wire.ParameterError("Select type ALL_ATTRIBUTES is not supported for global secondary index " + s.index.Name +
			" because its projection type is not ALL")
	}
	return nil
}

// checkProjected returns an error for reading attributes that a global index does not project. A local index fetches
// them.
func (in *readRequest) checkProjected(s *source) error {
	if in.projection == nil || s.index == nil || s.index.Local {
		return nil
	}
	if names := s.names(in.projection.Paths()); names != nil {
		return wire.ParameterError("Global secondary index " + s.index.Name + " does not project [" +
			strings.Join(names, ", ") + "]")
	}
	return nil
}

// needsFetch reports whether the items of a local index must be completed from the table.
func (in *readRequest) needsFetch(s *source) bool {
	if s.index == nil || s.index.ProjectsAll || in.Select.V == "COUNT" {
		return false
	}
	return in.Select.V == "ALL_ATTRIBUTES" || in.projection != nil && s.names(in.projection.Paths()) != nil
}
