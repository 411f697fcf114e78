package webconsole

import (
	"net/http"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
)

// Extension is a part of the console's API that the program which runs the emulator provides.
type Extension struct {
	Name    string       // its path below the API's, such as load
	Handler http.Handler // receives paths relative to it, such as /runs, and / for itself
}

// extensionNames returns the names of the extensions, so that the page shows what there is.
func (c *console) extensionNames() []string {
	names := make([]string, len(c.extensions))
	for i, one := range c.extensions {
		names[i] = one.Name
	}
	return names
}

// serveExtension serves a request to an extension. With identities, a user must have signed in.
func (c *console) serveExtension(w http.ResponseWriter, r *http.Request, name string) {
	for _, one := range c.extensions {
		if one.Name != name {
			continue
		}
		if !c.admit(w, r) {
			return
		}
		relative := r.Clone(r.Context())
		path := strings.TrimPrefix(r.URL.Path, apiPath+name)
		relative.URL.Path, relative.URL.RawPath = "/"+strings.TrimPrefix(path, "/"), ""
		one.Handler.ServeHTTP(w, relative)
		return
	}
	control.WriteProblem(w, http.StatusNotFound, "the console's API has no "+name+
		": it may be in another program or command, such as tabletop up")
}
