package backend

import (
	_ "embed"
	"html/template"
	"net/http"

	"github.com/tabletop-db/tabletop/internal/util/webguard"
)

//go:embed index.html
var indexText string

// mountIndex serves the index page, which links to the API of each system, at / and /docs.
func (s *Server) mountIndex() error {
	page, err := template.New("index").Parse(indexText)
	if err != nil {
		return err
	}
	show := func(w http.ResponseWriter, _ *http.Request) {
		webguard.SetPageHeaders(w.Header())
		_ = page.Execute(w, s.systems) // fails only when the client has disconnected
	}
	s.mux.HandleFunc("GET /{$}", show)
	s.mux.HandleFunc("GET /docs", show)
	return nil
}
