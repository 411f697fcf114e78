package admin

import (
	_ "embed"
	"encoding/json"
	"html"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/emulator/internal/control"
	"github.com/tabletop-db/tabletop/internal/util/webguard"
)

// docsPage is the page of all topics, made by a test from start.html and the API's description, with the names below
// for what only a running emulator knows. It is not made here because html/template keeps the linker from leaving out
// methods that nothing calls: that is a quarter of the program.
//
//go:embed docs.html
var docsPage string

const (
	docsHost    = "emulator.invalid"
	docsVersion = "0.0.0-of-the-emulator"
)

// mountDocs adds the OpenAPI document and its page.
func (c Config) mountDocs(mux *http.ServeMux, doc *huma.OpenAPI) error {
	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	mux.HandleFunc("GET "+control.Path+"/openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_, _ = w.Write(text) // fails only if the client has left; so does the write below
	})
	mux.HandleFunc("GET "+control.Path+"/docs", func(w http.ResponseWriter, r *http.Request) {
		webguard.SetPageHeaders(w.Header())
		_, _ = strings.NewReplacer(docsHost, html.EscapeString(r.Host), docsVersion,
			html.EscapeString(c.Version)).WriteString(w, docsPage)
	})
	return nil
}
