package web

import (
	"crypto/sha256"
	"crypto/subtle"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Access says who may call a route.
type Access struct {
	Scheme string // its name among Config.Schemes
	Label  string // on the page of the documents, such as "API key"
	Header string // as an example sends it, such as "X-API-Key: $API_KEY"
	// Guard lets the request pass, with what it learnt in the context, or says why not. It reads headers alone.
	Guard func(huma.Context) (huma.Context, error)
	// Challenge is the WWW-Authenticate header of a refusal; none when empty.
	Challenge string
	// Forbids says that Guard answers some good credentials with 403, so that the document has it.
	Forbids bool
}

// Open lets everyone in.
var Open = &Access{Label: "open", Guard: func(ctx huma.Context) (huma.Context, error) { return ctx, nil }}

// requirement is what an operation's Security says of access: nothing where none is given, which closes the operation.
func requirement(access *Access) []map[string][]string {
	switch access {
	case nil:
		return nil
	case Open:
		return []map[string][]string{{}}
	}
	return []map[string][]string{{access.Scheme: {}}}
}

// accessOf is who may call an operation by what it declares; nil for nobody.
func (a *API) accessOf(op *huma.Operation) *Access {
	if len(op.Security) != 1 || len(op.Security[0]) > 1 {
		return nil
	}
	for scheme := range op.Security[0] {
		return a.access[scheme]
	}
	return Open
}

// admit is in front of every operation: it lets in whom the operation declares, and nobody where it declares nothing.
func (a *API) admit(ctx huma.Context, next func(huma.Context)) {
	access := a.accessOf(ctx.Operation())
	if access == nil {
		a.refuse(ctx, Forbidden("nobody may call this operation: it does not say who may"))
		return
	}
	let, err := access.Guard(ctx)
	if err == nil {
		next(let)
		return
	}
	if access.Challenge != "" {
		ctx.SetHeader("WWW-Authenticate", access.Challenge)
	}
	a.refuse(ctx, err)
}

// AdminScheme is the name of the scheme of AdminToken, for Config.Schemes.
const AdminScheme = "adminToken"

// AdminSecurity describes AdminToken in the OpenAPI document.
func AdminSecurity() *huma.SecurityScheme {
	return &huma.SecurityScheme{Type: "http", Scheme: "bearer", Description: "The admin token that the service was started with"}
}

// AdminToken lets whoever sends this bearer token in; an empty token lets nobody in. The realm is such as "telemetry
// admin".
func AdminToken(token, realm string) *Access {
	return &Access{
		Scheme: AdminScheme, Label: "admin token", Header: "Authorization: Bearer $ADMIN_TOKEN",
		Challenge: `Bearer realm="` + realm + `"`,
		Guard: func(ctx huma.Context) (huma.Context, error) {
			if sent, ok := Bearer(ctx); !ok || token == "" || !same(sent, token) {
				return nil, Unauthorized("the admin token is missing or wrong; send Authorization: Bearer <token>")
			}
			return ctx, nil
		},
	}
}

// Bearer is the token of the request's Authorization header, if it has one of that scheme.
func Bearer(ctx huma.Context) (string, bool) {
	scheme, token, _ := strings.Cut(ctx.Header("Authorization"), " ")
	return token, strings.EqualFold(scheme, "Bearer") && token != ""
}

// same compares hashes, so that neither the length nor the start of a secret shows in the time it takes.
func same(a, b string) bool {
	left, right := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(left[:], right[:]) == 1
}
