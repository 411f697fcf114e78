package telemetry

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/backend/internal/web"
)

const (
	headerAPIKey = "X-API-Key"
	schemeAPIKey = "apiKey"
)

// Mount adds every route of the telemetry API, all under /telemetry, to mux.
func (s *Service) Mount(mux *http.ServeMux) error {
	r := routes{
		Service: s, api: s.newAPI(mux), admin: web.AdminToken(s.cfg.AdminToken, "telemetry admin"),
		data: &web.Access{Scheme: schemeAPIKey, Label: "API key", Header: headerAPIKey + ": $API_KEY",
			Challenge: `ApiKey realm="telemetry"`, Guard: s.guardData},
	}
	r.devices()
	r.readings()
	r.apiKeys()
	r.operations()
	return r.api.MountDocs()
}

type ctxKey struct{}

// guardData admits only requests with a valid key (TL-R12).
func (s *Service) guardData(ctx huma.Context) (huma.Context, error) {
	record, err := s.authenticate(ctx.Context(), ctx.Header(headerAPIKey))
	if err != nil {
		return nil, err
	}
	return huma.WithValue(ctx, ctxKey{}, record), nil
}
