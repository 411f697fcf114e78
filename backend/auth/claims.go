package auth

import (
	"context"
	"errors"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Claims are the claims of a valid token.
type Claims struct {
	Subject string   // the caller: the token's sub
	Roles   []string // the token's roles; may be empty
}

// Verifier verifies tokens. Errors: ErrInvalidToken when the token is not valid, ErrKeysUnavailable when that is
// unknown because the issuer's keys cannot be fetched.
type Verifier interface {
	Verify(ctx context.Context, raw string) (Claims, error)
}

// Errors of a Verifier.
var (
	ErrInvalidToken = errors.New(
		"the bearer token is missing, expired or not valid; get a new one and send Authorization: Bearer <token>")
	ErrKeysUnavailable = errors.New("the issuer's keys are not available at the moment; send the same request again")
)

const (
	maxToken        = 8 << 10 // bytes
	maxSubject      = 255     // characters; OpenID Connect Core 1.0
	maxRole         = 64
	maxRoles        = 64
	clockSkewLeeway = 30 * time.Second
)

// payload holds the claims of a token that are read.
type payload struct {
	jwt.RegisteredClaims
	Roles []string `json:"roles,omitempty"`
}

func (p *payload) claims() (Claims, error) {
	if !ValidSubject(p.Subject) || len(p.Roles) > maxRoles {
		return Claims{}, ErrInvalidToken
	}
	for _, role := range p.Roles {
		if !validName(role, maxRole) {
			return Claims{}, ErrInvalidToken
		}
	}
	return Claims{Subject: p.Subject, Roles: p.Roles}, nil
}

// ValidSubject reports whether s can be the subject of a token: 1 to 255 letters, digits and "._:@|+=-", not starting
// with a dot, because "." and ".." would change a URL path.
func ValidSubject(s string) bool { return validName(s, maxSubject) && s[0] != '.' }

func validName(s string, maxLength int) bool {
	if s == "" || len(s) > maxLength {
		return false
	}
	for _, c := range []byte(s) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case c == '.', c == '_', c == ':', c == '@', c == '|', c == '+', c == '=', c == '-':
		default:
			return false
		}
	}
	return true
}
