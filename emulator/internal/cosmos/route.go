package cosmos

import (
	"net/url"
	"strings"
)

// kind is a kind of resource, as it stands in paths and signatures.
type kind string

// The kinds. The account has an empty one.
const (
	kindAccount    kind = ""
	kindDatabase   kind = "dbs"
	kindContainer  kind = "colls"
	kindItem       kind = "docs"
	kindProcedure  kind = "sprocs"
	kindTrigger    kind = "triggers"
	kindUDF        kind = "udfs"
	kindRange      kind = "pkranges"
	kindConflict   kind = "conflicts"
	kindUser       kind = "users"
	kindPermission kind = "permissions"
	kindEncryption kind = "clientencryptionkeys"
	kindOffer      kind = "offers"
	kindAddress    kind = "addresses"
	// kindDeletion is the operation that deletes all items of a partition key; SDKs sign it as their container.
	kindDeletion kind = "operations"
)

// owners are which kinds a kind may stand under in a path.
var owners = map[kind]kind{
	kindDatabase: kindAccount, kindOffer: kindAccount, kindAddress: kindAccount,
	kindContainer: kindDatabase, kindUser: kindDatabase, kindEncryption: kindDatabase,
	kindPermission: kindUser,
	kindItem:       kindContainer, kindProcedure: kindContainer, kindTrigger: kindContainer, kindUDF: kindContainer,
	kindRange: kindContainer, kindConflict: kindContainer, kindDeletion: kindContainer,
}

// route is a path, taken apart: /dbs/d/colls/c/docs/i names an item, /dbs/d/colls/c/docs the feed of items.
type route struct {
	kind kind
	feed bool     // of all of the kind, without the last name
	ids  []string // of the owners, and of the resource where it is not a feed; decoded
	// link is the path as signatures have it: of the resource, or of a feed's owner; decoded, without slashes around it.
	link string
}

// parseRoute takes an escaped path apart. SDKs put slashes before and behind it, and //addresses/ has two before it.
func parseRoute(path string) (route, *Error) {
	path = strings.Trim(path, "/")
	if path == "" {
		return route{}, nil
	}
	parts := strings.Split(path, "/")
	r := route{feed: len(parts)%2 == 1, ids: make([]string, 0, len(parts)/2)}
	for i := range parts {
		if i%2 == 1 {
			id, err := url.PathUnescape(parts[i])
			if err != nil || id == "" {
				return route{}, invalidInput("The request path %s is malformed.", path)
			}
			r.ids = append(r.ids, id)
			parts[i] = id
			continue
		}
		next := kind(strings.ToLower(parts[i]))
		if owner, ok := owners[next]; !ok || owner != r.kind {
			return route{}, invalidInput("There is no resource %s.", path)
		}
		r.kind = next
	}
	if r.feed {
		parts = parts[:len(parts)-1]
		path = path[:max(0, strings.LastIndexByte(path, '/'))]
	}
	if r.link = path; strings.Contains(path, "%") {
		r.link = strings.Join(parts, "/")
	}
	return r, nil
}

// id is the name that the path gives at a place, from 0; empty where it gives none.
func (r *route) id(i int) string {
	if i >= 0 && i < len(r.ids) {
		return r.ids[i]
	}
	return ""
}

// last is the name of the resource itself.
func (r *route) last() string { return r.id(len(r.ids) - 1) }
