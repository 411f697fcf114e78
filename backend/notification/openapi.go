package notification

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
		System: "notification", Title: "Tabletop notifications", Version: Version, Intro: docsIntro,
		Description: "Events in a social app become entries in its users' notification centres and pushes to their phones.",
		Tags:        []string{"events", "notifications", "preferences", "devices", "users", "work", "operations"},
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

// Schema returns the schema of a userId.
func (UserID) Schema(huma.Registry) *huma.Schema {
	return web.PatternSchema(patternUserID,
		"The subject of a bearer token: 1 to 255 letters, digits and '._:@|+=-', not starting with a dot", "ana")
}

// Schema returns the schema of a deviceId.
func (DeviceID) Schema(huma.Registry) *huma.Schema {
	return web.PatternSchema(patternDeviceID, "1 to 128 letters, digits and '._:-', not starting with a dot",
		"7c9e6679-7425-40de-944b-e07fc1f90ae7")
}

// Schema returns the schema of a push token.
func (PushToken) Schema(huma.Registry) *huma.Schema {
	return web.PatternSchema(patternPushToken, "1 to 1000 printable ASCII characters",
		"cxsvc9gzo6U:APA91bEH6MEBwXWUD1210128")
}

// Schema returns the schema of a dedupeKey.
func (DedupeKey) Schema(huma.Registry) *huma.Schema {
	return web.PatternSchema(patternDedupeKey, "1 to 255 printable ASCII characters", "like:p1:bob")
}

// Schema returns the schema of a timezone; the service checks that the zone exists.
func (Timezone) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Description: "A name of the IANA time zone database",
		Examples: []any{"Europe/Berlin"}}
}

// Schema returns the schema of a platform.
func (Platform) Schema(huma.Registry) *huma.Schema { return web.EnumSchema(FCM, APNs) }

// Schema returns the schema of an event type.
func (EventType) Schema(huma.Registry) *huma.Schema { return web.EnumSchema(EventTypes()...) }

// Schema returns the schema of a category.
func (Category) Schema(huma.Registry) *huma.Schema { return web.EnumSchema(AllCategories()...) }

// Schema returns the schema of a status.
func (Status) Schema(huma.Registry) *huma.Schema { return web.EnumSchema(Statuses()...) }

// Schema returns the schema of quiet hours.
func (QuietHours) Schema(huma.Registry) *huma.Schema {
	n := len(QuietHours{})
	return &huma.Schema{
		Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeBoolean}, MinItems: &n, MaxItems: &n,
		Description: "One value per local hour from 0: true delays pushes",
	}
}

// Schema returns the schema of a payload; the service checks the documented fields.
func (Payload) Schema(huma.Registry) *huma.Schema {
	kinds := web.EnumSchema(Post, Comment, User) // the document marks all of them as optional: null means absent
	kinds.Nullable, kinds.Enum = true, append(kinds.Enum, nil)
	texts := map[string]*huma.Schema{"targetType": kinds}
	for _, name := range []string{"actorId", "actorName", "targetId", "snippet"} {
		texts[name] = &huma.Schema{Type: huma.TypeString, Nullable: true}
	}
	return &huma.Schema{
		Type: huma.TypeObject, Properties: texts, AdditionalProperties: true,
		Description: "Describes the event and may have additional fields; social events need targetId and targetType",
		Examples:    []any{map[string]any{"actorId": "bob", "actorName": "Bob", "targetId": "p1", "targetType": "post"}},
	}
}

// Schema returns the schema of a moment.
func (Moment) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, Format: "date-time", Nullable: true, Description: "RFC 3339 in UTC, milliseconds",
		Examples: []any{"2026-02-03T10:30:00.000Z"},
	}
}

// Schema returns the schema of an optional text.
func (Text) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Nullable: true}
}
