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

// Apple takes a provider token for an hour, and a new one at most every twenty minutes.
const (
	providerLife = 50 * time.Minute
	providerRest = 20 * time.Minute
)

// Key is the key by which Apple knows a provider.
type Key struct {
	ID      string // ten characters, as Apple names the key
	Team    string // ten characters, the team's id
	Private *ecdsa.PrivateKey
}

// ParseKey reads the private key of a .p8 file as Apple gives it out: PKCS #8 in PEM, on the curve P-256.
func ParseKey(id, team string, file []byte) (Key, error) {
	block, _ := pem.Decode(file)
	if block == nil {
		return Key{}, errors.New("the APNs key is not PEM: give the .p8 file as Apple gave it out")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return Key{}, errors.New("the APNs key cannot be read: give the .p8 file as Apple gave it out")
	}
	private, ok := parsed.(*ecdsa.PrivateKey)
	if !ok || private.Curve.Params().Name != "P-256" {
		return Key{}, fmt.Errorf("the APNs key is %T: it must be an elliptic key on the curve P-256", parsed)
	}
	return Key{ID: id, Team: team, Private: private}, nil
}

// providerToken keeps one signed token for all requests, as Apple asks.
type providerToken struct {
	key Key
	now func() time.Time

	mu     sync.Mutex
	signed string
	made   time.Time
}

func (p *providerToken) get() (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if p.signed != "" && now.Sub(p.made) < providerLife && !now.Before(p.made) {
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
	p.signed, p.made = signed, now
	return signed, nil
}

// drop forgets a token that the service finds too old, and reports whether another try has a better one: not within the
// twenty minutes, in which Apple refuses a new one.
func (p *providerToken) drop(signed string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.signed != signed {
		return true // somebody else was quicker
	}
	if p.now().Sub(p.made) < providerRest {
		return false
	}
	p.signed = ""
	return true
}
