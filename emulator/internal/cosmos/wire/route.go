package wire

import (
	"net/url"
	"strings"
)

// Kind is a kind of resource, as in paths and signatures.
type Kind string

// The kinds. That of the account is empty.
const (
	KindAccount             Kind = ""
	KindDatabase            Kind = "dbs"
	KindContainer           Kind = "colls"
	KindItem                Kind = "docs"
	KindStoredProcedure     Kind = "sprocs"
	KindTrigger             Kind = "triggers"
	KindUDF                 Kind = "udfs"
	KindPartitionKeyRange   Kind = "pkranges"
	KindConflict            Kind = "conflicts"
	KindUser                Kind = "users"
	KindPermission          Kind = "permissions"
	KindClientEncryptionKey Kind = "clientencryptionkeys"
	KindOffer               Kind = "offers"
	kindAddress             Kind = "addresses"
	// KindOperation is the operation that deletes all items of a partition key. SDKs sign it like its container.
	KindOperation Kind = "operations"
)

// ParentKinds maps each kind to the kind of its parent.
var ParentKinds = map[Kind]Kind{
	KindDatabase: KindAccount, KindOffer: KindAccount, kindAddress: KindAccount,
	KindContainer: KindDatabase, KindUser: KindDatabase, KindClientEncryptionKey: KindDatabase,
	KindPermission: KindUser,
	KindItem:       KindContainer, KindStoredProcedure: KindContainer, KindTrigger: KindContainer, KindUDF: KindContainer,
	KindPartitionKeyRange: KindContainer, KindConflict: KindContainer, KindOperation: KindContainer,
}

// Route is a parsed path: /dbs/d/colls/c/docs/i is an item, /dbs/d/colls/c/docs the feed of items.
type Route struct {
	Kind Kind
	Feed bool     // all resources of the kind; the path has no last id
	IDs  []string // of the parents and, unless it is a feed, of the resource; decoded
	// Link is the path as signatures use it: of the resource, or of a feed's parent; decoded, without leading and
	// trailing slashes.
	Link string
}

// ParseRoute parses an escaped path. SDKs add leading and trailing slashes, and //addresses/ has two leading ones.
func ParseRoute(path string) (Route, *Error) {
	path = strings.Trim(path, "/")
	if path == "" {
		return Route{}, nil
	}
	slashes := strings.Count(path, "/")
	r := Route{Feed: slashes%2 == 0, IDs: make([]string, 0, (slashes+1)/2)}
	for part, rest, more := "", path, true; more; {
		part, rest, more = strings.Cut(rest, "/")
		next := Kind(strings.ToLower(part))
		if owner, ok := ParentKinds[next]; !ok || owner != r.Kind {
			return Route{}, InvalidInput("There is no resource %s.", path)
		}
		r.Kind = next
		if !more {
			break
		}
		part, rest, more = strings.Cut(rest, "/")
		id, err := url.PathUnescape(part)
		if err != nil || id == "" {
			return Route{}, InvalidInput("The request path %s is malformed.", path)
		}
		r.IDs = append(r.IDs, id)
	}
	if r.Feed {
		path = path[:max(0, strings.LastIndexByte(path, '/'))]
	}
	if r.Link = path; strings.Contains(path, "%") {
		r.Link = decodeIDs(path, r.IDs)
	}
	return r, nil
}

// decodeIDs returns a path whose ids are replaced by the decoded ones.
func decodeIDs(path string, ids []string) string {
	parts := strings.Split(path, "/")
	for i, id := range ids {
		parts[2*i+1] = id
	}
	return strings.Join(parts, "/")
}

// ID returns the id at an index of the path, from 0; empty if there is none.
func (r *Route) ID(i int) string {
	if i >= 0 && i < len(r.IDs) {
		return r.IDs[i]
	}
	return ""
}

// Last returns the id of the resource itself.
func (r *Route) Last() string { return r.ID(len(r.IDs) - 1) }
