// Package apidocs serves an OpenAPI document, and the same for people: one page, made from the document, that needs
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

	"github.com/tabletop-db/tabletop/internal/webguard"
)

//go:embed page.html
var pageText string

//go:embed style.css
var styleText string

// Page says where the documents of an API are and what is particular to their page.
type Page struct {
	// Path is the folder of the API, such as /telemetry: the documents are its openapi.json and docs.
	Path string
	// Tags are the groups of the page, in its order. An operation is in those that it is tagged with.
	Tags []string
	// Intro defines the templates "links", a line below the title, and "start", a section before the operations. Both
	// may use .Title, .Version and .Server, the address that the reader used.
	Intro string
	// Access is who may call an operation, in a word or two, and the header that the example sends for it; both may be
	// empty. Nil stands for a function that says nothing.
	Access func(op *huma.Operation) (who, header string)
	// Change may change the JSON of the document before it is served; nil leaves it as it is.
	Change func(spec map[string]any)
}

// Mount adds the document and its page to mux. The document must be complete: later changes are not served. Both are
// made when somebody first reads them: most programs that have an API are started without anybody reading of it.
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
			http.Error(w, "the document could not be made", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_, _ = w.Write(text) // fails only when the reader has left; likewise below
	})
	view := sync.OnceValue(func() pageView { return newPageView(doc, p) })
	mux.HandleFunc("GET "+p.Path+"/docs", func(w http.ResponseWriter, r *http.Request) {
		mine := view()
		mine.Server = serverOf(r)
		var out bytes.Buffer
		if err := page.Execute(&out, mine); err != nil {
			http.Error(w, "the page could not be made", http.StatusInternalServerError)
			return
		}
		webguard.SetPageHeaders(w.Header())
		_, _ = w.Write(out.Bytes())
	})
	return nil
}

// spec is the document as JSON.
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

// serverOf is the address that the reader used, so that the page's examples work as they stand.
func serverOf(r *http.Request) string {
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}
