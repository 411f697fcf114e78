package webconsole

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
)

// cosmosHeaders are the headers that are passed on to Cosmos DB, besides those that begin with X-Ms-.
var cosmosHeaders = []string{"A-Im", "Accept", "Cache-Control", "Content-Type", "If-Match", "If-Modified-Since",
	"If-None-Match", "Prefer"}

// cosmosOff is the problem of requests to Cosmos DB while it is off.
const cosmosOff = "Cosmos DB is off: start the emulator with --cosmos-addr"

// serveCosmos passes a request to Cosmos DB, signed with the account's key. The path is relative to the API's and
// escaped, such as dbs/app/colls/orders/docs.
func (c *console) serveCosmos(w http.ResponseWriter, r *http.Request, path string) {
	if c.Cosmos == nil {
		control.WriteProblem(w, http.StatusNotFound, cosmosOff)
		return
	}
	target, err := cosmosURL(path, r.URL.RawQuery)
	if err != nil {
		control.WriteProblem(w, http.StatusBadRequest, "the path is not escaped correctly")
		return
	}
	call := serviceRequest(r, target, cosmosHeaders...)
	for name, values := range r.Header {
		if strings.HasPrefix(name, "X-Ms-") {
			call.Header[name] = values
		}
	}
	c.Cosmos.ServeHTTP(w, call)
}

// cosmosURL returns the URL of a resource from its escaped path. Slashes and dots in ids stay as they are escaped: they
// are parts of ids, not of the path. Errors: a path that cannot be unescaped.
func cosmosURL(path, query string) (*url.URL, error) {
	ids := strings.Split(path, "/")
	for i, id := range ids {
		ids[i] = escapedID(id)
	}
	path = strings.Join(ids, "/")
	decoded, err := url.PathUnescape(path)
	return &url.URL{Path: "/" + decoded, RawPath: "/" + path, RawQuery: query}, err
}

// escapedID returns an id of a resource, still escaped, from a part of a path. The ids . and .. end with a semicolon
// there, because browsers would remove them from the path and so name another resource.
func escapedID(part string) string {
	if part == ".;" || part == "..;" {
		return strings.TrimSuffix(part, ";")
	}
	return part
}
