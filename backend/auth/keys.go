package auth

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/json"

	"github.com/go-jose/go-jose/v4"
)

const minRSABits = 2048 // RFC 7518, section 3.3

// keySet holds the public keys of an issuer.
type keySet []jose.JSONWebKey

// parseKeys parses a JWK set. It ignores keys of unknown types and keys with missing or out-of-range parameters, as RFC
// 7517, section 5, recommends.
func parseKeys(text []byte) (keySet, error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(text, &set); err != nil {
		return nil, err
	}
	var keys keySet
	for _, text := range set.Keys {
		var key jose.JSONWebKey
		if json.Unmarshal(text, &key) == nil {
			keys = append(keys, key)
		}
	}
	return keys, nil
}

// find returns the key with that id that may sign with that algorithm. The key determines the algorithm, whatever the
// token's header says; this prevents algorithm confusion, such as using a public key as an HMAC secret.
func (s keySet) find(id, algorithm string) (any, bool) {
	for _, key := range s {
		if key.KeyID == id && (key.Use == "" || key.Use == "sig") && (key.Algorithm == "" || key.Algorithm == algorithm) &&
			supportsAlgorithm(key.Key, algorithm) {
			return key.Key, true
		}
	}
	return nil, false
}

func supportsAlgorithm(key any, algorithm string) bool {
	switch key := key.(type) {
	case *rsa.PublicKey:
		return algorithm == "RS256" && key.N.BitLen() >= minRSABits
	case *ecdsa.PublicKey:
		return algorithm == "ES256" && key.Curve == elliptic.P256()
	case ed25519.PublicKey:
		return algorithm == "EdDSA"
	}
	return false
}
