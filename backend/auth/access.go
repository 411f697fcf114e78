package auth

import (
	"context"
	"errors"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tabletop-db/tabletop/backend/internal/web"
)

// Scheme is the name of Access among the security schemes of an OpenAPI document.
const Scheme = "bearer"

// Security describes Access in an OpenAPI document.
func Security() *huma.SecurityScheme {
	return &huma.SecurityScheme{Type: "http", Scheme: "bearer", BearerFormat: "JWT", Description: "A token of the configured issuer: its sub is who calls"}
}

// Access lets whoever sends a bearer token in that v finds good. From says who that is.
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
		return Claims{}, errors.Join(web.Unavailable(ErrKeys.Error()), err) // the log hears why, the caller does not
	}
	return claims, err
}

type claimsKey struct{}

// From is who calls, in the context of a request that Access let in; nobody in any other.
func From(ctx context.Context) Claims {
	claims, _ := ctx.Value(claimsKey{}).(Claims)
	return claims
}
