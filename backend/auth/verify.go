package auth

import (
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// newParser returns a parser that accepts only the tokens that the package documentation describes.
func newParser(issuer, audience string, now func() time.Time) *jwt.Parser {
	return jwt.NewParser(
		jwt.WithValidMethods([]string{"RS256", "ES256", "EdDSA"}), jwt.WithStrictDecoding(),
		jwt.WithIssuer(issuer), jwt.WithAudience(audience), jwt.WithExpirationRequired(), jwt.WithIssuedAt(),
		jwt.WithLeeway(clockSkewLeeway), jwt.WithTimeFunc(now),
	)
}

// verify verifies a token; key finds the key that the token's header names.
func verify(p *jwt.Parser, raw string, key func(keyID, algorithm string) (any, error)) (Claims, error) {
	if len(raw) > maxToken {
		return Claims{}, ErrInvalidToken
	}
	var keyErr error // the error of key, which the parser would wrap in its own message
	parsed := payload{}
	_, err := p.ParseWithClaims(raw, &parsed, func(t *jwt.Token) (any, error) {
		var public any
		id, _ := t.Header["kid"].(string)
		if _, critical := t.Header["crit"]; critical || id == "" {
			return nil, ErrInvalidToken
		}
		public, keyErr = key(id, t.Method.Alg())
		return public, keyErr
	})
	switch {
	case keyErr != nil:
		return Claims{}, keyErr
	case err != nil:
		return Claims{}, ErrInvalidToken
	}
	return parsed.claims()
}
