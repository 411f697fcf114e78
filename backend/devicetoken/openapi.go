package devicetoken

import (
	_ "embed"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/backend/internal/web"
)

//go:embed docs/start.html
var docsIntro string

func (s *Service) newAPI(mux *http.ServeMux) *web.API {
	return web.New(mux, web.Config{
		System: "devicetoken", Title: "Tabletop device tokens", Version: Version, Intro: docsIntro,
		Description: "Phones register their push tokens and receive their user's notifications.",
		Tags:        []string{"devices", "users", "operations"},
		Schemes: map[string]*huma.SecurityScheme{auth.Scheme: auth.SecurityScheme(),
			web.AdminScheme: web.AdminSecurity()},
		Logger: s.cfg.Logger, Observe: func() { s.stats.requests.Add(1) }, BadRequests: true,
	})
}

// Schema returns the schema of a deviceId.
func (DeviceID) Schema(huma.Registry) *huma.Schema {
	return web.PatternSchema(patternDeviceID, "1 to 128 letters, digits, '.', '_', ':' and '-', not starting with a dot",
		"7C9E6679-7425-40DE-944B-E07FC1F90AE7")
}

// Schema returns the schema of a push token.
func (PushToken) Schema(huma.Registry) *huma.Schema {
	return web.PatternSchema(patternToken, "an Expo push token: ExponentPushToken[…]",
		"ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]")
}

// Schema returns the schema of a platform.
func (Platform) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Enum: []any{"ios", "android"}, Description: "ios or android",
		Examples: []any{"ios"}}
}

// Schema returns the schema of a timestamp.
func (Timestamp) Schema(huma.Registry) *huma.Schema {
	return web.PatternSchema(patternTimestamp, "RFC 3339 in UTC, whole seconds", "2026-02-03T10:30:00Z")
}

// Schema returns the schema of a userId.
func (UserID) Schema(huma.Registry) *huma.Schema {
	return web.PatternSchema(patternUserID, "the subject of the user's tokens", "auth0|5f7c8ec7c33c6c004bbafe82")
}
