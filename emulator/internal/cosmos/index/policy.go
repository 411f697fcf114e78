package index

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/sql"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// Allows reports whether the policy allows an index. An index on a computed property must have the property's current
// query.
func (x *Policy) Allows(s Spec) bool {
	if slices.ContainsFunc(s.Paths, func(p CompositePath) bool { return p.query() != x.computed[p.Steps[0].Name] }) {
		return false
	}
	switch len(s.Paths) {
	case 0:
		return true
	case 1:
		return x.Includes(s.Paths[0].Steps)
	}
	return slices.ContainsFunc(x.Composite, func(c Composite) bool {
		ok, _ := c.Matches(s.Paths)
		return ok
	})
}

// Policy is a container's indexing policy: the paths that are indexed. The policy never changes the rows of a query,
// but ORDER BY needs an index, and writes are charged for indexed values.
type Policy struct {
	none      bool // indexingMode is none
	Automatic bool // items are indexed by default; otherwise only if the write asks for it
	included  []doc.IndexPath
	excluded  []doc.IndexPath
	Composite []Composite
	computed  map[string]string // computed properties and their queries; wildcards do not include them
	// everything is set if all paths but _etag are indexed, which is the default policy.
	indexesAll bool
}

// Composite is a composite index: an index on several properties.
type Composite []CompositePath

// CompositePath is a path of a composite index and its order.
type CompositePath struct {
	Steps    []doc.PathStep
	Desc     bool
	Computed *sql.Computed // in an index: the computed property that the path begins with; nil: a stored property
}

// query returns the query of the computed property that the path begins with; empty: a stored property.
func (p CompositePath) query() string {
	if p.Computed == nil {
		return ""
	}
	return p.Computed.Query
}

// etagPath is excluded by every policy that does not include it.
const etagPath = `/"_etag"/?`

// WithPolicyDefaults completes an indexing policy as the service does: it includes the root if no set contains it, and
// excludes _etag. A policy with mode none gets no paths.
func WithPolicyDefaults(v doc.Value) doc.Value {
	if v.Kind() != doc.Map {
		v = doc.Object()
	}
	if !v.Field("indexingMode").Defined() {
		v = v.With("indexingMode", doc.String("consistent"))
	}
	none := strings.EqualFold(v.Field("indexingMode").Str(), "none")
	// azure_data_cosmos, container_crud_simple: a policy that indexes is automatic
	if !none || !v.Field("automatic").Defined() {
		v = v.With("automatic", doc.Bool(!none))
	}
	if none {
		for _, name := range []string{"includedPaths", "excludedPaths"} {
			if !v.Field(name).Defined() {
				v = v.With(name, doc.Array())
			}
		}
		return v
	}
	if spatial := v.Field("spatialIndexes"); spatial.Len() > 0 {
		v = v.With("spatialIndexes", withSpatialTypes(spatial))
	}
	if !v.Field("includedPaths").Defined() {
		included := doc.Array()
		if !hasPath(v.Field("excludedPaths"), "/*") {
			included = doc.Array(pathObject("/*"))
		}
		v = v.With("includedPaths", included)
	}
	if !hasPath(v.Field("includedPaths"), etagPath) && !hasPath(v.Field("excludedPaths"), etagPath) {
		excluded := append(append([]doc.Value{}, v.Field("excludedPaths").Elements()...), pathObject(etagPath))
		v = v.With("excludedPaths", doc.Array(excluded...))
	}
	return v
}

func pathObject(text string) doc.Value {
	return doc.Object(doc.Member{Name: "path", Value: doc.String(text)})
}

// hasPath reports whether the paths contain one equivalent to text.
func hasPath(paths doc.Value, text string) bool {
	want, err := parseIndexPath(text)
	for _, path := range paths.Elements() {
		if p, pathErr := parseIndexPath(path.Field("path").Str()); pathErr == nil && err == nil &&
			p.String() == want.String() {
			return true
		}
	}
	return false
}

// parseIndexPath parses a path of the policy. The root may also be written as /.
func parseIndexPath(text string) (doc.IndexPath, error) {
	if text == "/" {
		return doc.IndexPath{Wild: true}, nil
	}
	return doc.ParseIndexPath(text)
}

// ParsePolicy parses a container's indexing policy that WithPolicyDefaults has completed. If the policy breaks a rule,
// it returns the first such rule as the error, and still a usable policy without the invalid paths.
func ParsePolicy(container doc.Value) (*Policy, *wire.Error) {
	v := container.Field("indexingPolicy")
	x := &Policy{Automatic: v.Field("automatic").IsTrue(), computed: map[string]string{}}
	for _, property := range container.Field("computedProperties").Elements() {
		x.computed[property.Field("name").Str()] = property.Field("query").Str()
	}
	var broken [6]*wire.Error
	switch mode := v.Field("indexingMode").Str(); {
	case strings.EqualFold(mode, "none"):
		x.none = true
	case !strings.EqualFold(mode, "consistent") && !strings.EqualFold(mode, "lazy"):
		broken[0] = wire.ServiceError("The specified value '%s' for the indexing mode is invalid.", mode)
	}
	broken[1] = x.parsePaths(v)
	x.indexesAll = !x.none && len(x.included) == 1 && len(x.included[0].Steps) == 0 && len(x.excluded) == 1 &&
		x.excluded[0].String() == etagPath
	broken[2] = x.parseComposites(v.Field("compositeIndexes"))
	broken[3] = checkSpatial(v.Field("spatialIndexes"))
	broken[4] = checkVectors(container)
	broken[5] = checkFullText(container)
	return x, cmp.Or(broken[:]...)
}

// parsePaths parses the included and the excluded paths. A path may be in only one set, and only once. The root must be
// in one of them.
func (x *Policy) parsePaths(v doc.Value) (broken *wire.Error) {
	seen := map[string]bool{}
	for name, set := range map[string]*[]doc.IndexPath{"includedPaths": &x.included, "excludedPaths": &x.excluded} {
		for _, entry := range v.Field(name).Elements() {
			text := entry.Field("path").Str()
			p, err := parseIndexPath(text)
			if err != nil {
				broken = cmp.Or(broken, badIndexPath(text, err))
				continue
			}
			if seen[p.String()] {
				broken = cmp.Or(broken,
					wire.ServiceError("The indexing path '%s' is specified more than once in the indexing policy.", text))
			}
			seen[p.String()] = true
			*set = append(*set, p)
		}
	}
	if broken == nil && !x.none && !seen["/*"] {
		return wire.ServiceError(`The special mandatory indexing path "/" is not provided in any of the path type sets. Please provide this path in one of the sets.`)
	}
	return broken
}

// badIndexPath returns the service's error for an invalid path.
func badIndexPath(text string, err error) *wire.Error {
	at := len(text)
	var path *doc.PathError
	if errors.As(err, &path) {
		at = path.At
	}
	return wire.ServiceError("The indexing path '%s' could not be accepted, failed near position '%d'. Please ensure that the path is a valid path. Common errors include invalid characters or absence of quotes around labels.",
		text, at)
}

// The limits of composite indexes ("Azure Cosmos DB service quotas", SQL query limits and indexing).
const (
	maxCompositePaths = 8
	maxComposites     = 100
)

func (x *Policy) parseComposites(v doc.Value) (broken *wire.Error) {
	if v.Len() > maxComposites {
		broken = wire.ServiceError("The number of composite indexes %d exceeds the limit of %d.", v.Len(), maxComposites)
	}
	for _, composite := range v.Elements() {
		c, err := parseComposite(composite)
		if broken = cmp.Or(broken, err); len(c) > 0 {
			x.Composite = append(x.Composite, c)
		}
	}
	return broken
}

// parseComposite parses a composite index. If a path is invalid, the index is empty.
func parseComposite(v doc.Value) (c Composite, broken *wire.Error) {
	if n := v.Len(); n < 2 || n > maxCompositePaths {
		broken = wire.ServiceError("A composite index must have at least 2 and at most %d paths, not %d.",
			maxCompositePaths, n)
	}
	for _, part := range v.Elements() {
		p, err := doc.ParseValuePath(part.Field("path").Str())
		if err != nil {
			return nil, cmp.Or(broken, badIndexPath(part.Field("path").Str(), err))
		}
		order := part.Field("order").Str()
		if order != "" && !strings.EqualFold(order, "ascending") && !strings.EqualFold(order, "descending") {
			broken = cmp.Or(broken, wire.ServiceError("The order '%s' of a composite path must be ascending or descending.",
				order))
		}
		c = append(c, CompositePath{Steps: p.Steps, Desc: strings.EqualFold(order, "descending")})
	}
	return c, broken
}

// Includes reports whether the policy indexes the value at a path.
func (x *Policy) Includes(steps []doc.PathStep) bool {
	if x.none || len(steps) == 0 {
		return false
	}
	if len(steps) == 1 && (steps[0].Name == "id" || steps[0].Name == "_ts" || steps[0].Name == "_rid") {
		return true // in every policy except mode none ("Include/exclude strategy")
	}
	return x.precision(x.included, steps) > x.precision(x.excluded, steps)
}

// precision returns the precision of the most precise path that covers the steps; -1: none does.
func (x *Policy) precision(paths []doc.IndexPath, steps []doc.PathStep) int {
	best := -1
	for _, p := range paths {
		if len(p.Steps) == 0 && x.computed[steps[0].Name] != "" {
			continue
		}
		if p.Covers(steps) {
			best = max(best, p.Precision())
		}
	}
	return best
}

// Matches reports whether an index has exactly these paths in this order, or in reverse order.
func (c Composite) Matches(other Composite) (ok, reverse bool) {
	if len(c) != len(other) {
		return false, false
	}
	reverse = c[0].Desc != other[0].Desc
	for i := range c {
		if doc.PathText(c[i].Steps) != doc.PathText(other[i].Steps) || (c[i].Desc != other[i].Desc) != reverse {
			return false, false
		}
	}
	return true, reverse
}
