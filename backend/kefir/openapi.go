package kefir

import (
	_ "embed"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/backend/internal/web"
)

//go:embed docs/start.html
var docsIntro string

func (s *Service) newAPI(mux *http.ServeMux) *web.API {
	return web.New(mux, web.Config{
		System: "kefir", Title: "Tabletop kefir", Version: Version, Intro: docsIntro,
		Description: "Brewers track their batches of kefir from the jar to the fridge and get reminders.",
		Tags:        []string{"profile", "batches", "reminders", "devices", "public", "admin", "operations"},
		Schemes: map[string]*huma.SecurityScheme{
			auth.Scheme: auth.SecurityScheme(), web.AdminScheme: web.AdminSecurity(),
		},
		Logger: s.cfg.Logger, Observe: func() { s.stats.requests.Add(1) },
	})
}

// Schema returns the schema of an id.
func (ID) Schema(huma.Registry) *huma.Schema {
	return web.PatternSchema(patternID, "1 to 64 letters, digits, '_' and '-'", "550e8400-e29b-41d4-a716-446655440000")
}

// Schema returns the schema of a deviceId.
func (DeviceID) Schema(huma.Registry) *huma.Schema {
	return web.PatternSchema(patternDeviceID, "1 to 128 letters, digits and '._:-', not starting with a dot",
		"7c9e6679-7425-40de-944b-e07fc1f90ae7")
}

// Schema returns the schema of a push token.
func (PushToken) Schema(huma.Registry) *huma.Schema {
	return web.PatternSchema(patternPushToken, "an Expo push token: ExponentPushToken[…]",
		"ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]")
}

// Schema returns the schema of a timestamp.
func (Timestamp) Schema(huma.Registry) *huma.Schema {
	s := web.PatternSchema(patternTimestamp, "RFC 3339 in UTC, whole seconds", "2024-01-15T10:30:00Z")
	s.Format = "date-time"
	return s
}

// Schema returns the schema of a moment.
func (Moment) Schema(huma.Registry) *huma.Schema {
	s := web.PatternSchema(patternMoment, "RFC 3339 in UTC, up to milliseconds", "2024-01-15T10:30:00.000Z")
	s.Format = "date-time"
	return s
}

// Schema returns the schema of a batch's status.
func (Status) Schema(huma.Registry) *huma.Schema { return web.EnumSchema(statuses()...) }

// Schema returns the schema of an event's type.
func (EventType) Schema(huma.Registry) *huma.Schema {
	return web.EnumSchema(Photo, Note, StageTransition, StatusChange)
}

// Schema returns the schema of a reminder's status.
func (ReminderStatus) Schema(huma.Registry) *huma.Schema {
	return web.EnumSchema(Pending, Sent, Cancelled)
}

// Schema returns the schema of a platform.
func (Platform) Schema(huma.Registry) *huma.Schema {
	return web.EnumSchema[Platform]("ios", "android", "web")
}

// Schema returns the schema of a number with two decimals; Resolve enforces the decimals.
func (Decimal) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeNumber, Format: "double", Description: "A number of at most two decimals",
		Examples: []any{22.5}}
}

// Resolve rejects more than two decimals, because numbers are stored as sent.
func (d *Decimal) Resolve(_ huma.Context, at *huma.PathBuffer) []error {
	if _, decimals, _ := strings.Cut(d.String(), "."); len(decimals) > 2 {
		return []error{&huma.ErrorDetail{Location: at.String(), Message: "must have at most two decimals",
			Value: float64(*d)}}
	}
	return nil
}
