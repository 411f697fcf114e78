package web

import (
	"crypto/sha256"
	"crypto/subtle"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Access defines who may call an operation.
type Access struct {
	Scheme string // its name in Config.Schemes
	Label  string // on the documentation page, such as "API key"
	Header string // as an example sends it, such as "X-API-Key: $API_KEY"
	// Guard admits the request and returns its context with the caller's identity, or returns the reason for refusing it.
	// It reads only headers.
	Guard func(huma.Context) (huma.Context, error)
	// Challenge is the WWW-Authenticate header of a refusal; none when empty.
	Challenge string
	// Forbids reports whether Guard answers some valid credentials with 403, for the OpenAPI document.
	Forbids bool
}

// Open admits every caller.
var Open = &Access{Label: "open", Guard: func(ctx huma.Context) (huma.Context, error) { return ctx, nil }}

// securityRequirement returns the Security of an operation with this access: nil when access is nil, which closes the
// operation.
func securityRequirement(access *Access) []map[string][]string {
	switch access {
	case nil:
		return nil
	case Open:
		return []map[string][]string{{}}
	}
	return []map[string][]string{{access.Scheme: {}}}
}

// accessOf returns who may call an operation, as its Security declares; nil for nobody.
func (a *API) accessOf(op *huma.Operation) *Access {
	if len(op.Security) != 1 || len(op.Security[0]) > 1 {
		return nil
	}
	for scheme := range op.Security[0] {
		return a.access[scheme]
	}
	return Open
}

// authorize is the middleware of every operation: it admits the callers that the operation declares, and no caller when
// it declares none.
func (a *API) authorize(ctx huma.Context, next func(huma.Context)) {
	access := a.accessOf(ctx.Operation())
	if access == nil {
		a.writeError(ctx, Forbidden("this operation allows no callers: it declares no access"))
		return
	}
	authorized, err := access.Guard(ctx)
	if err == nil {
		next(authorized)
		return
	}
	if access.Challenge != "" {
		ctx.SetHeader("WWW-Authenticate", access.Challenge)
	}
	a.writeError(ctx, err)
}

// AdminScheme is the name of AdminToken's scheme, for Config.Schemes.
const AdminScheme = "adminToken"

// AdminSecurity describes AdminToken in the OpenAPI document.
func AdminSecurity() *huma.SecurityScheme {
	return &huma.SecurityScheme{Type: "http", Scheme: "bearer",
		Description: "The admin token that the service was configured with"}
}

// AdminToken admits callers that send this bearer token; an empty token admits nobody. realm is, for example,
// "telemetry admin".
func AdminToken(token, realm string) *Access {
	return &Access{
		Scheme: AdminScheme, Label: "admin token", Header: "Authorization: Bearer $ADMIN_TOKEN",
		Challenge: `Bearer realm="` + realm + `"`,
		Guard: func(ctx huma.Context) (huma.Context, error) {
			if sent, ok := Bearer(ctx); !ok || token == "" || !equalSecrets(sent, token) {
				return nil, Unauthorized("the admin token is missing or wrong; send Authorization: Bearer <token>")
			}
			return ctx, nil
		},
	}
}

// Bearer returns the bearer token of the request's Authorization header, if it has one.
func Bearer(ctx huma.Context) (string, bool) {
	scheme, token, _ := strings.Cut(ctx.Header("Authorization"), " ")
	return token, strings.EqualFold(scheme, "Bearer") && token != ""
}

// equalSecrets compares hashes, so that its duration reveals neither the length nor a prefix of a secret.
func equalSecrets(a, b string) bool {
	left, right := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(left[:], right[:]) == 1
}
