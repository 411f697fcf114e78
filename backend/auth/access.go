package auth

import (
	"context"
	"errors"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// Scheme is the name of Access's security scheme in an OpenAPI document.
const Scheme = "bearer"

// SecurityScheme returns the security scheme of Access for an OpenAPI document.
func SecurityScheme() *huma.SecurityScheme {
	return &huma.SecurityScheme{Type: "http", Scheme: "bearer", BearerFormat: "JWT",
		Description: "A token of the configured issuer; its sub identifies the caller"}
}

// Access admits callers with a bearer token that v verifies. From returns the caller.
func Access(v Verifier) *web.Access {
	return &web.Access{
		Scheme: Scheme, Label: "bearer token", Header: "Authorization: Bearer $TOKEN", Challenge: `Bearer`,
		Guard: func(ctx huma.Context) (huma.Context, error) {
			claims, err := authenticate(ctx, v)
			if err != nil {
				return nil, err
			}
			return huma.WithValue(ctx, claimsKey{}, claims), nil
		},
	}
}

func authenticate(ctx huma.Context, v Verifier) (Claims, error) {
	raw, ok := web.Bearer(ctx)
	if !ok {
		return Claims{}, web.Unauthorized(ErrInvalidToken.Error())
	}
	claims, err := v.Verify(ctx.Context(), raw)
	switch {
	case errors.Is(err, ErrInvalidToken):
		return Claims{}, web.Unauthorized(ErrInvalidToken.Error())
	case errors.Is(err, ErrKeysUnavailable):
		return Claims{}, errors.Join(web.Unavailable(ErrKeysUnavailable.Error()), err) // the cause is logged, not sent
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
