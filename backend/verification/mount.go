package verification

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/backend/auth"
	"github.com/tabletop-db/tabletop/backend/internal/web"
	"github.com/tabletop-db/tabletop/internal/util/lazyregexp"
)

const (
	headerAPIKey = "X-API-Key"
	schemeClient = "client"
	reviewerRole = "reviewer"

	// UploadPath is the path under which local uploads receive files.
	UploadPath = "/verification/uploads/"
)

// Mount adds every route of the verification API, all under /verification, to mux.
func (s *Service) Mount(mux *http.ServeMux) error {
	if s.cfg.Tokens == nil {
		return errors.New("verification: no verifier of reviewers' tokens: set Config.Tokens")
	}
	r := routes{Service: s, api: s.newAPI(mux), client: s.clientAccess(), reviewer: s.reviewerAccess(),
		admin: s.adminAccess()}
	r.cases()
	r.documents()
	r.sessions()
	r.reviews()
	r.administration()
	r.operations()
	if files, ok := s.cfg.Uploads.(http.Handler); ok { // files for S3 do not pass through this server
		mux.Handle("PUT "+UploadPath, files)
	}
	return r.api.MountDocs()
}

// clientAccess admits callers with a valid API key or session.
func (s *Service) clientAccess() *web.Access {
	return &web.Access{
		Scheme: schemeClient, Label: "API key or session", Header: headerAPIKey + ": $API_KEY",
		Challenge: `Session realm="verification"`,
		Guard: func(ctx huma.Context) (huma.Context, error) {
			scheme, token, _ := strings.Cut(ctx.Header("Authorization"), " ")
			key := ctx.Header(headerAPIKey)
			var who caller
			var err error
			if key == "" && strings.EqualFold(scheme, "Session") {
				who, err = s.authenticateSession(ctx.Context(), token)
			} else {
				who, err = s.authenticateKey(ctx.Context(), key)
			}
			return huma.WithValue(ctx, callerKey{}, who), err
		},
	}
}

// opaqueSubject matches a subject that identifies no person: one with an @ would put an email address into the audit
// trail.
var opaqueSubject = lazyregexp.New(`^[A-Za-z0-9_.:|+=-]{1,255}$`)

// reviewerAccess admits callers with a valid bearer token and the reviewer role.
func (s *Service) reviewerAccess() *web.Access {
	access := auth.Access(s.cfg.Tokens)
	guard := access.Guard
	access.Label, access.Forbids = "bearer token of a reviewer", true
	access.Guard = func(ctx huma.Context) (huma.Context, error) {
		ctx, err := guard(ctx)
		if err != nil {
			return nil, err
		}
		claims := auth.From(ctx.Context())
		switch {
		case !slices.Contains(claims.Roles, reviewerRole):
			return nil, web.Forbidden("the token is valid but lacks the role reviewer")
		case !opaqueSubject.MatchString(claims.Subject):
			return nil, web.Forbidden("the token's subject looks like an email address: the audit trail accepts only opaque ids")
		}
		return huma.WithValue(ctx, callerKey{}, caller{user: claims.Subject, role: RoleReviewer}), nil
	}
	return access
}

func (s *Service) adminAccess() *web.Access {
	access := web.AdminToken(s.cfg.AdminToken, "verification admin")
	guard := access.Guard
	access.Guard = func(ctx huma.Context) (huma.Context, error) {
		ctx, err := guard(ctx)
		if err != nil {
			return nil, err
		}
		return huma.WithValue(ctx, callerKey{}, caller{user: "admin", role: RoleAdmin}), nil
	}
	return access
}
