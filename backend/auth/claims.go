package auth

import (
	"context"
	"errors"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Claims are what a good token says.
type Claims struct {
	Subject string   // who is calling: the token's sub
	Roles   []string // the token's roles, of which there may be none
}

// Verifier tells good tokens from others. An error is ErrToken when the token is not good and ErrKeys when that cannot
// be told now, because the issuer's keys are out of reach.
type Verifier interface {
	Verify(ctx context.Context, raw string) (Claims, error)
}

// The errors of a Verifier.
var (
	ErrToken = errors.New("the bearer token is missing, expired or not valid; get a new one and send Authorization: Bearer <token>")
	ErrKeys  = errors.New("the keys of the token's issuer cannot be had at the moment; send the same request again")
)

const (
	maxToken   = 8 << 10 // bytes
	maxSubject = 255     // characters, as OpenID Connect Core 1.0 has it
	maxRole    = 64
	maxRoles   = 64
	leeway     = 30 * time.Second
)

// payload is the part of a token that is read.
type payload struct {
	jwt.RegisteredClaims
	Roles []string `json:"roles,omitempty"`
}

func (p *payload) claims() (Claims, error) {
	if !ValidSubject(p.Subject) || len(p.Roles) > maxRoles {
		return Claims{}, ErrToken
	}
	for _, role := range p.Roles {
		if !validName(role, maxRole) {
			return Claims{}, ErrToken
		}
	}
	return Claims{Subject: p.Subject, Roles: p.Roles}, nil
}

// ValidSubject says whether a text can be the subject of a token: 1 to 255 letters, digits and "._:@|+=-", without a
// dot at the start, for "." and ".." would be other paths in an address.
func ValidSubject(s string) bool { return validName(s, maxSubject) && s[0] != '.' }

func validName(s string, most int) bool {
	if s == "" || len(s) > most {
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
