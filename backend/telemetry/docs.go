package telemetry

import (
	_ "embed"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/internal/apidocs"
)

//go:embed docs/start.html
var docsIntro string

// mountDocs serves the OpenAPI document and its page.
func mountDocs(mux *http.ServeMux, doc *huma.OpenAPI) error {
	page := apidocs.Page{
		Path: "/telemetry", Tags: []string{"devices", "readings", "api-keys", "operations"}, Intro: docsIntro, Access: documentedAccess,
	}
	return page.Mount(mux, doc)
}

// documentedAccess is who may call an operation, as its page shows it.
func documentedAccess(op *huma.Operation) (who, header string) {
	if len(op.Security) == 0 {
		return "open", ""
	}
	if _, ok := op.Security[0][string(data)]; ok {
		return "API key", headerAPIKey + ": $API_KEY"
	}
	return "admin token", "Authorization: Bearer $ADMIN_TOKEN"
}
