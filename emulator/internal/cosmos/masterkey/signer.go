package masterkey

import (
	"crypto/hmac"
	"crypto/sha256"
	"hash"

	"github.com/tabletop-db/tabletop/emulator/internal/poison"
)

// Signer checks signatures by one of the account's keys. Each request has one, so what a key takes to prepare is kept.
type Signer struct{ prepared poison.Pool }

// prepared is a key that is ready to sign, and room for a signature.
type prepared struct {
	mac hash.Hash
	sum [sha256.Size]byte
}

// NewSigner returns a Signer of a key.
func NewSigner(key []byte) *Signer {
	s := &Signer{}
	s.prepared.New = func() any { return &prepared{mac: hmac.New(sha256.New, key)} }
	return s
}

// Matches reports whether a signature is of a payload.
func (s *Signer) Matches(payload, signature []byte) bool {
	p := s.prepared.Get().(*prepared)
	defer s.prepared.Put(p)
	p.mac.Reset()
	p.mac.Write(payload)
	return hmac.Equal(p.mac.Sum(p.sum[:0]), signature)
}

// Sign returns the signature of a payload: HMAC with SHA-256.
func Sign(key []byte, payload string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(payload))
	return mac.Sum(nil)
}
