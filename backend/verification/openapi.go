package verification

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
		System: "verification", Title: "Tabletop identity verification", Version: Version,
		Description: "Clients open cases about their customers and upload documents; reviewers decide; an audit trail records every operation.",
		Tags:        []string{"cases", "sessions", "review", "api-keys", "operations"}, Intro: docsIntro,
		Logger:  s.cfg.Logger,
		Observe: func() { s.stats.requests.Add(1) }, Private: []string{"body.customerMetadata", "body.processingResults"},
		Schemes: map[string]*huma.SecurityScheme{
			schemeClient: {Type: "apiKey", In: "header", Name: headerAPIKey,
				Description: "A client's key, from POST /verification/api-keys; or Authorization: Session <token>, from POST /verification/sessions"},
			auth.Scheme:     auth.SecurityScheme(),
			web.AdminScheme: web.AdminSecurity(),
		},
	})
}

// Schema returns the schema of a verificationId.
func (CaseID) Schema(huma.Registry) *huma.Schema {
	return web.PatternSchema(patternCase, "ver_ and a UUID of version 4", "ver_7c9e6679-7425-40de-944b-e07fc1f90ae7")
}

// Schema returns the schema of a documentId.
func (DocumentID) Schema(huma.Registry) *huma.Schema {
	return web.PatternSchema(patternDoc, "doc_ and a UUID of version 4", "doc_550e8400-e29b-41d4-a716-446655440000")
}

// Schema returns the schema of a clientId.
func (ClientID) Schema(huma.Registry) *huma.Schema {
	return web.PatternSchema(patternClient, "client_ and up to 48 letters and digits", "client_xyz789")
}

// Schema returns the schema of a timestamp.
func (Timestamp) Schema(huma.Registry) *huma.Schema {
	return web.PatternSchema(patternTime, "ISO 8601 in UTC, whole seconds", "2026-01-14T10:00:00Z")
}

// Schema returns the schema of an email address.
func (Email) Schema(huma.Registry) *huma.Schema {
	return withMaxLength(web.PatternSchema(patternEmail, "an e-mail address", "customer@example.com"), 254)
}

// Schema returns the schema of a phone number.
func (Phone) Schema(huma.Registry) *huma.Schema {
	return web.PatternSchema(patternPhone, "a phone number in E.164", "+26771234567")
}

// Schema returns the schema of an externalId.
func (ExternalID) Schema(huma.Registry) *huma.Schema {
	return web.PatternSchema(patternOther, "up to 128 letters, digits and _ . : -", "cust_123")
}

// Schema returns the schema of a redirectUrl.
func (RedirectURL) Schema(huma.Registry) *huma.Schema {
	return withMaxLength(web.PatternSchema(patternURL, "an https URL, or an http one of localhost",
		"https://client.com/callback"), 2000)
}

// Schema returns the schema of a document type.
func (DocumentType) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Enum: documentTypes(), Examples: []any{"omang"}}
}

// Schema returns the schema of a document side.
func (DocumentSide) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Enum: documentSides(), Examples: []any{"omang_front"}}
}

// Schema returns the schema of a document's status.
func (DocumentStatus) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Enum: []any{string(Uploaded), string(ProcessingDocument), string(Processed),
		string(Failed)}}
}

// Schema returns the schema of a MIME type.
func (MimeType) Schema(huma.Registry) *huma.Schema {
	return web.EnumSchema[MimeType]("image/jpeg", "image/png", "application/pdf")
}

// Schema returns the schema of a case's status.
func (Status) Schema(huma.Registry) *huma.Schema { return web.EnumSchema(Statuses()...) }

func withMaxLength(s *huma.Schema, n int) *huma.Schema {
	s.MaxLength = &n
	return s
}
