package webconsole

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
)

// apiPath is the prefix of the API's paths.
const apiPath = control.ConsolePath + "api/"

// console serves the web console of one emulator.
type console struct {
	control.Emulator
	sessions   sessions
	watchers   *watchers
	extensions []Extension
}

// Console is the web console of one emulator.
type Console struct{ *console }

// New returns a console with the extensions of the program that runs the emulator.
func New(e control.Emulator, extensions ...Extension) Console {
	return Console{&console{Emulator: e, sessions: sessions{now: time.Now}, watchers: newWatchers(e.Observe),
		extensions: extensions}}
}

// Handler returns the handler of control.Path itself and of all paths under control.ConsolePath.
func (c Console) Handler() http.Handler { return c.Guard.Wrap(http.HandlerFunc(c.serve)) }

// Close ends the streams of events, which have no end by themselves.
func (c Console) Close() { c.watchers.end() }

// serve serves a request that has passed the guard.
func (c *console) serve(w http.ResponseWriter, r *http.Request) {
	setHeaders(w.Header())
	path := r.URL.EscapedPath()
	switch {
	case strings.HasPrefix(path, apiPath):
		c.serveAPI(w, r, strings.TrimPrefix(path, apiPath))
	case !isRead(r):
		refuseMethod(w, http.MethodGet, http.MethodHead)
	case strings.HasPrefix(path, control.ConsolePath):
		servePage(w, r, strings.TrimPrefix(path, control.ConsolePath))
	default:
		http.Redirect(w, r, control.ConsolePath, http.StatusFound)
	}
}

// setHeaders sets the headers of all responses. Pages run only the console's own scripts. Styles may be inline, because
// CodeMirror, the editor of queries, adds its own.
func setHeaders(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "+
		"connect-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; "+
		"frame-ancestors 'none'")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Referrer-Policy", "no-referrer")
}

// isRead reports whether a request reads a resource.
func isRead(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// serveAPI serves a request to the API, whose path is relative to apiPath and escaped.
func (c *console) serveAPI(w http.ResponseWriter, r *http.Request, path string) {
	topic, rest, _ := strings.Cut(path, "/")
	switch {
	case path == "session":
		c.serveSession(w, r)
	case path == "overview":
		c.serveOverview(w, r)
	case path == "requests":
		c.serveRequests(w, r)
	case path == "changes":
		c.serveChanges(w, r)
	case topic == "access":
		c.serveAccess(w, r, rest)
	case topic == "dynamodb":
		c.serveDynamoDB(w, r, rest)
	case topic == "cloudwatch":
		c.serveCloudWatch(w, r, rest)
	case topic == "kms":
		c.serveKMS(w, r, rest)
	case topic == "cosmos":
		c.serveCosmos(w, r, rest)
	case topic == "import":
		c.serveImport(takeFile(w, r), r, rest)
	case path == "compare":
		c.serveCompare(w, r)
	case path == "recording":
		c.serveRecording(takeFile(w, r), r)
	case path == "draft":
		c.serveDraft(w, r)
	case path == "export":
		c.serveExport(w, r)
	case topic == "clone":
		c.serveClone(w, r, rest)
	case topic == "history":
		c.serveHistory(w, r, rest)
	default:
		c.serveExtension(w, r, topic)
	}
}

// refuseMethod responds to a request whose method its path does not have.
func refuseMethod(w http.ResponseWriter, allowed ...string) {
	list := strings.Join(allowed, ", ")
	w.Header().Set("Allow", list)
	control.WriteProblem(w, http.StatusMethodNotAllowed, "use "+list)
}

// writeJSON writes a response.
func writeJSON(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body) // fails only if the client has left
}
