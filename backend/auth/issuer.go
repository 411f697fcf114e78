package auth

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"slices"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/golang-jwt/jwt/v5"
)

// Audience is the default audience (aud) of the local issuer's tokens.
const Audience = "tabletop"

// Issuer issues and verifies tokens for development, with an ES256 key that lives as long as the process. It is safe
// for concurrent use.
type Issuer struct {
	// URL is the issuer (iss) of its tokens, and the address of its documents once it is mounted. Default:
	// http://127.0.0.1:8080/auth. Set it before first use.
	URL string
	// Audience is the audience (aud) of its tokens, and the one that Verify requires. Default: the constant Audience.
	// Set it before first use.
	Audience string

	now     func() time.Time
	private *ecdsa.PrivateKey
	keys    keySet
}

// NewIssuer returns an issuer with a new key. now is its clock; time.Now when nil.
func NewIssuer(now func() time.Time) (*Issuer, error) {
	if now == nil {
		now = time.Now
	}
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("auth: the key of the local issuer: %w", err)
	}
	key := jose.JSONWebKey{Key: &private.PublicKey, Algorithm: "ES256", Use: "sig"}
	thumbprint, err := key.Thumbprint(crypto.SHA256) // RFC 7638
	if err != nil {
		return nil, fmt.Errorf("auth: the id of the local issuer's key: %w", err)
	}
	key.KeyID = base64.RawURLEncoding.EncodeToString(thumbprint)
	return &Issuer{URL: "http://127.0.0.1:8080/auth", Audience: Audience, now: now, private: private, keys: keySet{key}},
		nil
}

// Token issues a token for subject that is valid for lifetime from now on. Errors: a subject or a role that no verifier
// accepts.
func (i *Issuer) Token(subject string, lifetime time.Duration, roles ...string) (string, error) {
	now := i.now()
	p := payload{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: i.URL, Subject: subject, Audience: jwt.ClaimStrings{i.Audience},
			IssuedAt: jwt.NewNumericDate(now), NotBefore: jwt.NewNumericDate(now),
			ExpiresAt: jwt.NewNumericDate(now.Add(lifetime)),
		},
		Roles: slices.Clone(roles),
	}
	if _, err := p.claims(); err != nil {
		return "", fmt.Errorf("auth: subject %q, roles %q: use 1 to %d and 1 to %d letters, digits and ._:@|+=-",
			subject, roles, maxSubject, maxRole)
	}
	token := jwt.NewWithClaims(jwt.SigningMethodES256, p)
	token.Header["kid"] = i.keys[0].KeyID
	return token.SignedString(i.private)
}

// Verify verifies a token of this issuer.
func (i *Issuer) Verify(_ context.Context, raw string) (Claims, error) {
	return verify(newParser(i.URL, i.Audience, i.now), raw, func(id, algorithm string) (any, error) {
		if key, ok := i.keys.find(id, algorithm); ok {
			return key, nil
		}
		return nil, ErrInvalidToken
	})
}
