package auth

import (
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// CheckPermission checks a permission. Its resource need not exist (PermissionCrudTest of the Java SDK).
func CheckPermission(a *operation.Account, v doc.Value) *wire.Error {
	mode, resource := v.Field("permissionMode"), v.Field("resource")
	switch {
	case resource.Kind() != doc.Text || resource.Str() == "":
		return wire.MissingProperties("resource")
	case mode.Kind() != doc.Text:
		return wire.MissingProperties("permissionMode")
	case !wire.IsWordIn(mode.Str(), "read all"):
		return wire.InvalidInput("The property permissionMode has the value %q; it may be one of: read, all.", mode.Str())
	}
	_, err := permissionGrant(a, v)
	return err
}

// SameGrant reports whether two permissions are for the same resource and partition key. A user can have only one
// permission for each of these (ResourceTokenTest of the Java SDK).
func SameGrant(a, b doc.Value) bool {
	key := func(v doc.Value) string { return v.Field("resourcePartitionKey").JSON() }
	return a.Field("resource").Str() == b.Field("resource").Str() && key(a) == key(b)
}

// grant is the access that a permission allows, as its resource token states it.
type grant struct {
	container string    // the resource id; empty: the container does not exist, and nothing is allowed
	kind      wire.Kind // of the resource in the container; KindContainer: all of the container
	id        string    // of that resource
	key       string    // the partition key, as in the header; empty: any
	byRID     bool      // id is a resource id
	write     bool
	expires   int64 // in Unix seconds

	permission string // the resource id of the permission
	name       string // the id of the permission
}

// permissionGrant returns what a permission allows now. Its resource is a link by names or by resource ids.
func permissionGrant(a *operation.Account, v doc.Value) (*grant, *wire.Error) {
	link := v.Field("resource").Str()
	r, err := wire.ParseRoute(link)
	if err != nil || r.Feed || len(r.IDs) < 2 || wire.ParentKinds[r.Kind] != wire.KindContainer &&
		r.Kind != wire.KindContainer {
		return nil, wire.InvalidInput(
			"The resource %q of the permission is not a link to a container or to a resource in a container.", link)
	}
	g := &grant{kind: r.Kind, id: r.ID(2), write: strings.EqualFold(v.Field("permissionMode").Str(), "all")}
	if container := a.Catalog.Container(r.ID(0), r.ID(1)); container != nil {
		g.container, g.byRID = container.RID, addressedByRID(container, r)
	}
	if key := v.Field("resourcePartitionKey"); key.Len() > 0 {
		g.key = key.JSON()
	}
	return g, nil
}

// addressedByRID reports whether the path of a container consists of resource ids. The id of one item may equal the
// resource id of another, so the id alone is ambiguous.
func addressedByRID(container *engine.Container, r wire.Route) bool {
	return r.ID(0) == container.Database.RID && container.Database.Name != container.Database.RID
}

// allows reports whether the grant covers a request. SDKs also read the account, the container and its partition key
// ranges before they access an item.
func (g *grant) allows(c *operation.Call) bool {
	if c.Route.Kind == wire.KindAccount {
		return true
	}
	// a user may have that name
	if c.Route.Kind != wire.KindContainer && wire.ParentKinds[c.Route.Kind] != wire.KindContainer {
		return false
	}
	container := c.Account.Catalog.Container(c.Route.ID(0), c.Route.ID(1))
	if container == nil || container.RID != g.container {
		return false
	}
	reads := c.Method == "GET" || c.Form() == wire.QueryForm || c.Form() == wire.PlanForm
	switch {
	case !reads && !g.write:
		return false
	case !reads && c.Route.Kind == wire.KindContainer: // mode All covers the container itself ("Create a Permission")
		return g.kind == wire.KindContainer && g.key == "" && !c.Route.Feed
	case c.Route.Kind == wire.KindContainer || c.Route.Kind == wire.KindPartitionKeyRange:
		return reads && (g.kind == wire.KindContainer || !c.Route.Feed || c.Route.Kind == wire.KindPartitionKeyRange)
	case g.kind != wire.KindContainer && (c.Route.Kind != g.kind || c.Route.Feed || c.Route.ID(2) != g.id ||
		addressedByRID(container, c.Route) != g.byRID):
		return false
	}
	return g.key == "" || g.coversKey(c)
}

// accessesScript reports whether a request reads or changes a script, rather than running it. Scripts belong to the
// whole container.
func accessesScript(c *operation.Call) bool {
	switch c.Route.Kind {
	case wire.KindStoredProcedure:
		return c.Route.Feed || c.Method != http.MethodPost
	case wire.KindTrigger, wire.KindUDF:
		return true
	}
	return false
}

// coversKey reports whether the request is limited to the grant's partition key. A bulk never is: its operations have
// partition keys of their own.
func (g *grant) coversKey(c *operation.Call) bool {
	if accessesScript(c) || c.IsBulk() {
		return false
	}
	have, err := doc.ParsePartitionKeyHeader(c.Header("X-Ms-Documentdb-Partitionkey"))
	want, keyErr := doc.ParsePartitionKeyHeader(g.key)
	return err == nil && keyErr == nil && len(have) > 0 && have.Equal(want)
}
