package telemetry

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

//go:embed docs/page.html docs/style.css
var docsFiles embed.FS

// mountDocs serves the OpenAPI document, and the same for people: one page, made from the document, that needs
// neither a network nor scripts.
func mountDocs(mux *http.ServeMux, doc *huma.OpenAPI) error {
	spec, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return fmt.Errorf("telemetry: OpenAPI document: %w", err)
	}
	page, err := template.New("page.html").ParseFS(docsFiles, "docs/page.html")
	if err != nil {
		return fmt.Errorf("telemetry: docs page: %w", err)
	}
	style, err := docsFiles.ReadFile("docs/style.css")
	if err != nil {
		return fmt.Errorf("telemetry: docs page: %w", err)
	}
	view := newPageView(doc)
	view.Style = template.CSS(style)
	mux.HandleFunc("GET /telemetry/openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(spec) // fails only when the reader has left; likewise below
	})
	mux.HandleFunc("GET /telemetry/docs", func(w http.ResponseWriter, r *http.Request) {
		mine := view
		mine.Server = serverOf(r)
		var out bytes.Buffer
		if err := page.Execute(&out, mine); err != nil {
			http.Error(w, "the page could not be made", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
		_, _ = w.Write(out.Bytes())
	})
	return nil
}

// serverOf is the address that the reader used, so that the page's examples work as they stand.
func serverOf(r *http.Request) string {
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}
