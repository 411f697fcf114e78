package auth

import (
	"context"
	"errors"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// Scheme is the name of Access's security scheme in an OpenAPI document.
const Scheme = "bearer"

// Security returns the security scheme of Access for an OpenAPI document.
func Security() *huma.SecurityScheme {
	return &huma.SecurityScheme{Type: "http", Scheme: "bearer", BearerFormat: "JWT",
		Description: "A token of the configured issuer; its sub identifies the caller"}
}

// Access admits callers with a bearer token that v verifies. From returns the caller.
func Access(v Verifier) *web.Access {
	return &web.Access{
		Scheme: Scheme, Label: "bearer token", Header: "Authorization: Bearer $TOKEN", Challenge: `Bearer`,
		Guard: func(ctx huma.Context) (huma.Context, error) {
			claims, err := sent(ctx, v)
			if err != nil {
				return nil, err
			}
			return huma.WithValue(ctx, claimsKey{}, claims), nil
		},
	}
}

func sent(ctx huma.Context, v Verifier) (Claims, error) {
	raw, ok := web.Bearer(ctx)
	if !ok {
		return Claims{}, web.Unauthorized(ErrToken.Error())
	}
	claims, err := v.Verify(ctx.Context(), raw)
	switch {
	case errors.Is(err, ErrToken):
		return Claims{}, web.Unauthorized(ErrToken.Error())
	case errors.Is(err, ErrKeys):
		return Claims{}, errors.Join(web.Unavailable(ErrKeys.Error()), err) // the cause is logged, not sent
	}
	return claims, err
}

type claimsKey struct{}

// From returns the claims of the caller, in the context of a request that Access admitted; in any other context, it
// returns zero Claims.
func From(ctx context.Context) Claims {
	claims, _ := ctx.Value(claimsKey{}).(Claims)
	return claims
}
