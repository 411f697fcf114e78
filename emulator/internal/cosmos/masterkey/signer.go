package masterkey

import (
	"crypto/hmac"
	"crypto/sha256"
	"hash"

	"github.com/tabletop-db/tabletop/emulator/internal/poison"
)

// Signer verifies signatures by one of the account's keys. It reuses the prepared HMAC states, because every request
// has a signature.
type Signer struct{ prepared poison.Pool }

// prepared is an HMAC state for the key and a buffer for a signature.
type prepared struct {
	mac hash.Hash
	sum [sha256.Size]byte
}

// NewSigner returns a Signer for a key.
func NewSigner(key []byte) *Signer {
	s := &Signer{}
	s.prepared.New = func() any { return &prepared{mac: hmac.New(sha256.New, key)} }
	return s
}

// Matches reports whether signature is the signature of payload.
func (s *Signer) Matches(payload, signature []byte) bool {
	p := s.prepared.Get().(*prepared)
	defer s.prepared.Put(p)
	p.mac.Reset()
	p.mac.Write(payload)
	return hmac.Equal(p.mac.Sum(p.sum[:0]), signature)
}

// Sign returns the HMAC-SHA256 of a payload.
func Sign(key []byte, payload string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(payload))
	return mac.Sum(nil)
}
