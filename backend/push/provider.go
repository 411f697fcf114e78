package push

import (
	"crypto/ecdsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Apple accepts a provider token for an hour, and a new one at most every twenty minutes.
const (
	providerTokenLifetime = 50 * time.Minute
	providerTokenMinAge   = 20 * time.Minute
)

// Key is a provider's authentication key at Apple.
type Key struct {
	ID      string // ten characters, assigned by Apple
	Team    string // the team id, ten characters
	Private *ecdsa.PrivateKey
}

// ParseKey parses the private key in a .p8 file as Apple issues it: PKCS #8 in PEM, on the curve P-256.
func ParseKey(id, team string, file []byte) (Key, error) {
	block, _ := pem.Decode(file)
	if block == nil {
		return Key{}, errors.New("the APNs key is not PEM: use the .p8 file as downloaded from Apple")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return Key{}, errors.New("the APNs key cannot be parsed: use the .p8 file as downloaded from Apple")
	}
	private, ok := parsed.(*ecdsa.PrivateKey)
	if !ok || private.Curve.Params().Name != "P-256" {
		return Key{}, fmt.Errorf("the APNs key is %T: it must be an ECDSA key on the curve P-256", parsed)
	}
	return Key{ID: id, Team: team, Private: private}, nil
}

// providerToken keeps one signed token for all requests, as Apple asks.
type providerToken struct {
	key Key
	now func() time.Time

	mu       sync.Mutex
	signed   string
	signedAt time.Time
}

func (p *providerToken) get() (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if p.signed != "" && now.Sub(p.signedAt) < providerTokenLifetime && !now.Before(p.signedAt) {
		return p.signed, nil
	}
	if p.key.Private == nil {
		return "", errors.New("there is no key")
	}
	token := jwt.NewWithClaims(jwt.SigningMethodES256, jwt.MapClaims{"iss": p.key.Team, "iat": now.Unix()})
	token.Header = map[string]any{"alg": "ES256", "kid": p.key.ID}
	signed, err := token.SignedString(p.key.Private)
	if err != nil {
		return "", err
	}
	p.signed, p.signedAt = signed, now
	return signed, nil
}

// discard discards a token that the service finds too old, and reports whether another attempt can use a better one. It
// cannot within twenty minutes, because Apple refuses a new token so soon.
func (p *providerToken) discard(signed string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.signed != signed {
		return true // another request was faster
	}
	if p.now().Sub(p.signedAt) < providerTokenMinAge {
		return false
	}
	p.signed = ""
	return true
}
