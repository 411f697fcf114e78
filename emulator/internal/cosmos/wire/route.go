package wire

import (
	"net/url"
	"strings"
)

// Kind is a kind of resource, as it stands in paths and signatures.
type Kind string

// The kinds. The account has an empty one.
const (
	KindAccount    Kind = ""
	KindDatabase   Kind = "dbs"
	KindContainer  Kind = "colls"
	KindItem       Kind = "docs"
	KindProcedure  Kind = "sprocs"
	KindTrigger    Kind = "triggers"
	KindUDF        Kind = "udfs"
	KindRange      Kind = "pkranges"
	KindConflict   Kind = "conflicts"
	KindUser       Kind = "users"
	KindPermission Kind = "permissions"
	KindEncryption Kind = "clientencryptionkeys"
	KindOffer      Kind = "offers"
	kindAddress    Kind = "addresses"
	// KindDeletion is the operation that deletes all items of a partition key; SDKs sign it as their container.
	KindDeletion Kind = "operations"
)

// Owners are which kinds a kind may stand under in a path.
var Owners = map[Kind]Kind{
	KindDatabase: KindAccount, KindOffer: KindAccount, kindAddress: KindAccount,
	KindContainer: KindDatabase, KindUser: KindDatabase, KindEncryption: KindDatabase,
	KindPermission: KindUser,
	KindItem:       KindContainer, KindProcedure: KindContainer, KindTrigger: KindContainer, KindUDF: KindContainer,
	KindRange: KindContainer, KindConflict: KindContainer, KindDeletion: KindContainer,
}

// Route is a path, taken apart: /dbs/d/colls/c/docs/i names an item, /dbs/d/colls/c/docs the feed of items.
type Route struct {
	Kind Kind
	Feed bool     // of all of the kind, without the last name
	IDs  []string // of the owners, and of the resource where it is not a feed; decoded
	// link is the path as signatures have it: of the resource, or of a feed's owner; decoded, without slashes around
	// it.
	Link string
}

// ParseRoute takes an escaped path apart. SDKs put slashes before and behind it, and //addresses/ has two before it.
func ParseRoute(path string) (Route, *Error) {
	path = strings.Trim(path, "/")
	if path == "" {
		return Route{}, nil
	}
	parts := strings.Split(path, "/")
	r := Route{Feed: len(parts)%2 == 1, IDs: make([]string, 0, len(parts)/2)}
	for i := range parts {
		if i%2 == 1 {
			id, err := url.PathUnescape(parts[i])
			if err != nil || id == "" {
				return Route{}, InvalidInput("The request path %s is malformed.", path)
			}
			r.IDs = append(r.IDs, id)
			parts[i] = id
			continue
		}
		next := Kind(strings.ToLower(parts[i]))
		if owner, ok := Owners[next]; !ok || owner != r.Kind {
			return Route{}, InvalidInput("There is no resource %s.", path)
		}
		r.Kind = next
	}
	if r.Feed {
		parts = parts[:len(parts)-1]
		path = path[:max(0, strings.LastIndexByte(path, '/'))]
	}
	if r.Link = path; strings.Contains(path, "%") {
		r.Link = strings.Join(parts, "/")
	}
	return r, nil
}

// ID is the name that the path gives at a place, from 0; empty where it gives none.
func (r *Route) ID(i int) string {
	if i >= 0 && i < len(r.IDs) {
		return r.IDs[i]
	}
	return ""
}

// Last is the name of the resource itself.
func (r *Route) Last() string { return r.ID(len(r.IDs) - 1) }
