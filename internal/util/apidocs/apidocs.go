// Package apidocs serves an OpenAPI document and a page for people: one page, generated from the document, that needs
// neither a network nor scripts.
package apidocs

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/internal/util/webguard"
)

//go:embed page.html
var pageText string

//go:embed style.css
var styleText string

// Page configures the documents of an API.
type Page struct {
	// Path is the path prefix of the API, such as /telemetry, under which openapi.json and docs are served.
	Path string
	// Tags are the groups of the page, in its order. An operation is in the groups of its tags.
	Tags []string
	// Intro defines the templates "links", a line below the title, and "start", a section before the operations. Both
	// may use .Title, .Version and .Server, the address in the reader's request.
	Intro string
	// Access returns who may call an operation, in a word or two, and the header that the example sends for it; both
	// may be empty. Access may be nil.
	Access func(op *huma.Operation) (who, header string)
	// Change may change the JSON of the document before it is served. It may be nil.
	Change func(spec map[string]any)
}

// Mount adds the document and its page to mux. The document must be complete: later changes are not served. Both are
// generated when they are first read, because most programs that have an API start without anybody reading its docs.
func (p Page) Mount(mux *http.ServeMux, doc *huma.OpenAPI) error {
	page, err := template.New("page").Parse(pageText)
	if err == nil {
		page, err = page.Parse(p.Intro)
	}
	if err != nil {
		return fmt.Errorf("%s: docs page: %w", p.Path, err)
	}
	spec := sync.OnceValues(func() ([]byte, error) { return p.spec(doc) })
	mux.HandleFunc("GET "+p.Path+"/openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		text, err := spec()
		if err != nil {
			http.Error(w, "cannot generate the OpenAPI document", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_, _ = w.Write(text) // fails only if the client has left; so does the write below
	})
	view := sync.OnceValue(func() pageView { return newPageView(doc, p) })
	mux.HandleFunc("GET "+p.Path+"/docs", func(w http.ResponseWriter, r *http.Request) {
		request := view() // a copy
		request.Server = serverOf(r)
		var out bytes.Buffer
		if err := page.Execute(&out, request); err != nil {
			http.Error(w, "cannot generate the documentation page", http.StatusInternalServerError)
			return
		}
		webguard.SetPageHeaders(w.Header())
		_, _ = w.Write(out.Bytes())
	})
	return nil
}

// spec returns the document as JSON.
func (p Page) spec(doc *huma.OpenAPI) ([]byte, error) {
	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil || p.Change == nil {
		return text, err
	}
	var spec map[string]any
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	p.Change(spec)
	return json.MarshalIndent(spec, "", "  ")
}

// serverOf returns the address in the reader's request, so that the page's examples work unchanged.
func serverOf(r *http.Request) string {
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}
