package pushgateway

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// provider is what APNs remembers about a key: the token that was last used with it, and since when.
type provider struct {
	token string
	since time.Time
}

const (
	providerLife = time.Hour        // lifetime of a token
	providerRest = 20 * time.Minute // minimum time between two new tokens of a key
)

// apnsKnows checks the provider token: ES256, a key id and a team id of ten characters, at most an hour old, and not
// replaced within twenty minutes. REQUIRES: g.mu is held.
func (g *Gateway) apnsKnows(r *http.Request) *apnsRefusal {
	scheme, signed, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "bearer") || signed == "" {
		return &apnsRefusal{status: http.StatusForbidden, reason: "MissingProviderToken"}
	}
	token, err := g.parseProvider(signed)
	if err != nil {
		return &apnsRefusal{status: http.StatusForbidden, reason: "InvalidProviderToken"}
	}
	issued, err := token.Claims.GetIssuedAt()
	if err != nil || issued == nil {
		return &apnsRefusal{status: http.StatusForbidden, reason: "InvalidProviderToken"}
	}
	now := g.now()
	if age := now.Sub(issued.Time); age >= providerLife || age < -providerLife {
		return &apnsRefusal{status: http.StatusForbidden, reason: "ExpiredProviderToken"}
	}
	key, _ := token.Header["kid"].(string)
	last := g.providers[key]
	switch {
	case last.token == signed:
	case last.token != "" && now.Sub(last.since) < providerRest:
		return &apnsRefusal{status: http.StatusTooManyRequests, reason: "TooManyProviderTokenUpdates"}
	default:
		g.providers[key] = provider{token: signed, since: now}
	}
	return nil
}

var errProvider = errors.New("not a provider's token")

// parseProvider checks the format and, if the gateway knows the providers' keys, the signature. The caller checks
// times.
func (g *Gateway) parseProvider(signed string) (*jwt.Token, error) {
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"ES256"}), jwt.WithoutClaimsValidation())
	claims := jwt.MapClaims{}
	if len(g.cfg.APNsKeys) > 0 {
		return parser.ParseWithClaims(signed, claims, func(t *jwt.Token) (any, error) {
			id, _ := t.Header["kid"].(string)
			if key := g.cfg.APNsKeys[id]; key != nil {
				return key, nil
			}
			return nil, errProvider
		})
	}
	token, _, err := parser.ParseUnverified(signed, claims)
	if err != nil {
		return nil, err
	}
	id, _ := token.Header["kid"].(string)
	team, err := claims.GetIssuer()
	if err != nil || token.Method.Alg() != "ES256" || len(id) != 10 || len(team) != 10 {
		return nil, errProvider
	}
	return token, nil
}
