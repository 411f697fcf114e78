package auth

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"testing"

	"github.com/go-jose/go-jose/v4"
)

// TestKeyVerifiesOneAlgorithm checks that a key verifies one algorithm, whatever the token's header says.
func TestKeyVerifiesOneAlgorithm(t *testing.T) {
	t.Parallel()
	strong, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	weak, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	larger, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	edwards, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		key  jose.JSONWebKey
		good string // the key's algorithm; empty when it has none
	}{
		{"RSA", jose.JSONWebKey{Key: &strong.PublicKey}, "RS256"},
		{"RSA for PS256", jose.JSONWebKey{Key: &strong.PublicKey, Algorithm: "PS256"}, ""},
		{"RSA of 1024 bits", jose.JSONWebKey{Key: &weak.PublicKey}, ""},
		{"RSA for encryption", jose.JSONWebKey{Key: &strong.PublicKey, Use: "enc"}, ""},
		{"P-256", jose.JSONWebKey{Key: &curve.PublicKey, Use: "sig", Algorithm: "ES256"}, "ES256"},
		{"P-384", jose.JSONWebKey{Key: &larger.PublicKey}, ""},
		{"Ed25519", jose.JSONWebKey{Key: edwards, Algorithm: "EdDSA"}, "EdDSA"},
		{"a secret", jose.JSONWebKey{Key: []byte("a secret of 32 bytes, or nearly")}, ""},
		{"a private key", jose.JSONWebKey{Key: curve}, ""},
	} {
		c.key.KeyID = "1"
		text, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{c.key}})
		if err != nil {
			t.Fatal(err)
		}
		set, err := parseKeys(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, algorithm := range []string{"RS256", "ES256", "EdDSA", "HS256", "none", "PS256"} {
			if _, ok := set.find("1", algorithm); ok != (algorithm == c.good) {
				t.Errorf("%s for %s: %v", c.name, algorithm, ok)
			}
		}
	}
}
