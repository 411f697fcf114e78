package pushgateway

import (
	"crypto/sha256"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// providerToken is APNs' record of a key: the token that was last used with it, and since when.
type providerToken struct {
	hash  [sha256.Size]byte // of the token, whose length has no limit
	since time.Time
}

// maxProviderKeys is the maximum number of keys whose tokens a gateway remembers.
const maxProviderKeys = 1000

const (
	providerTokenLifetime = time.Hour        // lifetime of a token
	providerTokenInterval = 20 * time.Minute // minimum time between two new tokens of a key
)

// checkProviderToken checks the provider token: ES256, a key id and a team id of ten characters, at most an hour old,
// and not replaced within twenty minutes. REQUIRES: g.mu is held.
func (g *Gateway) checkProviderToken(r *http.Request) *apnsError {
	scheme, signed, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "bearer") || signed == "" {
		return &apnsError{status: http.StatusForbidden, reason: "MissingProviderToken"}
	}
	token, err := g.parseProviderToken(signed)
	if err != nil {
		return &apnsError{status: http.StatusForbidden, reason: "InvalidProviderToken"}
	}
	issued, err := token.Claims.GetIssuedAt()
	if err != nil || issued == nil {
		return &apnsError{status: http.StatusForbidden, reason: "InvalidProviderToken"}
	}
	now := g.now()
	if age := now.Sub(issued.Time); age >= providerTokenLifetime || age < -providerTokenLifetime {
		return &apnsError{status: http.StatusForbidden, reason: "ExpiredProviderToken"}
	}
	key, _ := token.Header["kid"].(string)
	last, known := g.providerTokens[key]
	switch hash := sha256.Sum256([]byte(signed)); {
	case known && last.hash == hash:
	case known && now.Sub(last.since) < providerTokenInterval:
		return &apnsError{status: http.StatusTooManyRequests, reason: "TooManyProviderTokenUpdates"}
	default:
		prune(g.providerTokens, maxProviderKeys, func(t providerToken) bool {
			return now.Sub(t.since) >= 2*providerTokenLifetime // it expired, even if it was dated an hour ahead
		})
		g.providerTokens[key] = providerToken{hash: hash, since: now}
	}
	return nil
}

var errProviderToken = errors.New("not a provider's token")

// parseProviderToken checks the format and, if the gateway knows the providers' keys, the signature. The caller checks
// times.
func (g *Gateway) parseProviderToken(signed string) (*jwt.Token, error) {
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"ES256"}), jwt.WithoutClaimsValidation())
	claims := jwt.MapClaims{}
	if len(g.cfg.APNsKeys) > 0 {
		return parser.ParseWithClaims(signed, claims, func(t *jwt.Token) (any, error) {
			id, _ := t.Header["kid"].(string)
			if key := g.cfg.APNsKeys[id]; key != nil {
				return key, nil
			}
			return nil, errProviderToken
		})
	}
	token, _, err := parser.ParseUnverified(signed, claims)
	if err != nil {
		return nil, err
	}
	id, _ := token.Header["kid"].(string)
	team, err := claims.GetIssuer()
	if err != nil || token.Method.Alg() != "ES256" || len(id) != 10 || len(team) != 10 {
		return nil, errProviderToken
	}
	return token, nil
}
