package cosmos

import (
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// checkPermission checks a permission. What it is for need not be there (Java's PermissionCrudTest).
func (c *call) checkPermission(v doc.Value) *Error {
	mode, resource := v.Field("permissionMode"), v.Field("resource")
	switch {
	case resource.Kind() != doc.Text || resource.Str() == "":
		return missingProperties("resource")
	case mode.Kind() != doc.Text:
		return missingProperties("permissionMode")
	case !isOneOf(mode.Str(), "read all"):
		return invalidInput("The property permissionMode has the value %q; it may be one of: read, all.", mode.Str())
	}
	_, err := c.grantOf(v)
	return err
}

// sameGrant says that two permissions are for the same: a user has one for a resource, or for each partition key of it (Java's
// ResourceTokenTest).
func sameGrant(a, b doc.Value) bool {
	key := func(v doc.Value) string { return v.Field("resourcePartitionKey").JSON() }
	return a.Field("resource").Str() == b.Field("resource").Str() && key(a) == key(b)
}

// grant is what a permission allows: it stands in its resource token.
type grant struct {
	container string // the resource id; empty: there was none, and nothing is allowed
	kind      kind   // of what in the container it is about; kindContainer: of all of it
	id        string // of that
	key       string // the partition key, as the header has it; empty: any
	byRID     bool   // id is a resource id
	write     bool
	expires   int64 // in seconds since 1970

	permission string // the resource id of the permission that was granted
	name       string // and its id
}

// grantOf is what a permission allows now. Its resource is a link by names or by resource ids.
func (c *call) grantOf(v doc.Value) (*grant, *Error) {
	link := v.Field("resource").Str()
	r, err := parseRoute(link)
	if err != nil || r.feed || len(r.ids) < 2 || owners[r.kind] != kindContainer && r.kind != kindContainer {
		return nil, invalidInput("The resource %q of the permission is no link of a container or of what is in one.", link)
	}
	g := &grant{kind: r.kind, id: r.id(2), write: strings.EqualFold(v.Field("permissionMode").Str(), "all")}
	if one := c.account.catalog.container(r.id(0), r.id(1)); one != nil {
		g.container, g.byRID = one.rid, addressedByRID(one, r)
	}
	if key := v.Field("resourcePartitionKey"); key.Len() > 0 {
		g.key = key.JSON()
	}
	return g, nil
}

// addressedByRID reports whether a path of a container goes by resource ids. Items may be called as other items' resource ids
// are, so that an id alone does not tell which one is meant.
func addressedByRID(one *container, r route) bool {
	return r.id(0) == one.database.rid && one.database.name != one.database.rid
}

// allows says whether the grant is enough for a request. SDKs read the account, the container and its partition key ranges
// on their own account before they come to an item.
func (g *grant) allows(c *call) bool {
	if c.route.kind == kindAccount {
		return true
	}
	if c.route.kind != kindContainer && owners[c.route.kind] != kindContainer { // a user may be called as the container is
		return false
	}
	one := c.account.catalog.container(c.route.id(0), c.route.id(1))
	if one == nil || one.rid != g.container {
		return false
	}
	reads := c.method == "GET" || c.form() == QueryForm || c.form() == PlanForm
	switch {
	case !reads && !g.write:
		return false
	case !reads && c.route.kind == kindContainer: // of the container itself, which all is of ("Create a Permission")
		return g.kind == kindContainer && g.key == "" && !c.route.feed
	case c.route.kind == kindContainer || c.route.kind == kindRange:
		return reads && (g.kind == kindContainer || !c.route.feed || c.route.kind == kindRange)
	case g.kind != kindContainer && (c.route.kind != g.kind || c.route.feed || c.route.id(2) != g.id || addressedByRID(one, c.route) != g.byRID):
		return false
	}
	return g.key == "" || g.coversKey(c)
}

// checkNewID holds a request with a token for one item to that item: it may not give it another id.
func (c *call) checkNewID(id string) *Error {
	if c.sameID && id != c.itemID() {
		return insufficientPermissions()
	}
	return nil
}

// scripted says whether a request is about a script itself, and not about running it: scripts are of the whole container.
func (c *call) scripted() bool {
	switch c.route.kind {
	case kindProcedure:
		return c.route.feed || c.method != http.MethodPost
	case kindTrigger, kindUDF:
		return true
	}
	return false
}

// coversKey says whether the request is about the partition key of the grant, and nothing else: the operations of a bulk have
// keys of their own.
func (g *grant) coversKey(c *call) bool {
	if c.scripted() || c.bulky() {
		return false
	}
	have, err := doc.ParsePartitionKeyHeader(c.header("X-Ms-Documentdb-Partitionkey"))
	want, problem := doc.ParsePartitionKeyHeader(g.key)
	return err == nil && problem == nil && len(have) > 0 && have.Equal(want)
}
