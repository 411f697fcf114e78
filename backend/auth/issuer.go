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

// Audience is the aud of the local issuer's tokens, unless it is given another one.
const Audience = "tabletop"

// Issuer makes and verifies tokens on the desk, with an ES256 key that lives as long as the process. It is safe for
// concurrent use.
type Issuer struct {
	// URL is the iss of its tokens and where a client finds its documents once it is mounted;
	// http://127.0.0.1:8080/auth unless it is set before first use.
	URL string
	// Audience is the aud of its tokens, and of those that it takes; Audience unless it is set before first use.
	Audience string

	now     func() time.Time
	private *ecdsa.PrivateKey
	keys    keySet
}

// NewIssuer makes an issuer with a key of its own, whose tokens count their time by now: time.Now when it is nil.
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
	return &Issuer{URL: "http://127.0.0.1:8080/auth", Audience: Audience, now: now, private: private, keys: keySet{key}}, nil
}

// Token makes a token about subject that is good for life from now on. A subject or a role that no verifier would take
// is an error.
func (i *Issuer) Token(subject string, life time.Duration, roles ...string) (string, error) {
	now := i.now()
	p := payload{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: i.URL, Subject: subject, Audience: jwt.ClaimStrings{i.Audience},
			IssuedAt: jwt.NewNumericDate(now), NotBefore: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(life)),
		},
		Roles: slices.Clone(roles),
	}
	if _, err := p.claims(); err != nil {
		return "", fmt.Errorf("auth: subject %q, roles %q: write letters, digits and ._:@|+=-, 1 to %d and %d of them",
			subject, roles, maxSubject, maxRole)
	}
	token := jwt.NewWithClaims(jwt.SigningMethodES256, p)
	token.Header["kid"] = i.keys[0].KeyID
	return token.SignedString(i.private)
}

// Verify reads a token of this issuer.
func (i *Issuer) Verify(_ context.Context, raw string) (Claims, error) {
	return verify(newParser(i.URL, i.Audience, i.now), raw, func(id, algorithm string) (any, error) {
		if key, ok := i.keys.find(id, algorithm); ok {
			return key, nil
		}
		return nil, ErrToken
	})
}
