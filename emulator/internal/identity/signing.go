package identity

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"sync/atomic"

	"github.com/tabletop-db/tabletop/emulator/internal/poison"
)

// signingKey is the signing key of a secret for one day, region and service. Its HMAC states are pooled, because
// creating one takes longer than using it.
type signingKey struct {
	date, region, service string
	macs                  poison.Pool // of *macState
}

func newSigningKey(secret string, s scope) *signingKey {
	key := mac([]byte("AWS4"+secret), s.date)
	key = mac(key, s.region)
	key = mac(key, s.service)
	key = mac(key, "aws4_request")
	k := &signingKey{date: s.date, region: s.region, service: s.service}
	k.macs.New = func() any { return &macState{Hash: hmac.New(sha256.New, key)} }
	return k
}

func mac(key []byte, text string) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(text))
	return m.Sum(nil)
}

// macState is an HMAC state with a buffer for its sum.
type macState struct {
	hash.Hash
	sum [sha256.Size]byte
}

// appendSignature appends the signature of a string in hexadecimal.
func (k *signingKey) appendSignature(dst, text []byte) []byte {
	m := k.macs.Get().(*macState)
	m.Reset()
	m.Write(text)
	dst = hex.AppendEncode(dst, m.Sum(m.sum[:0]))
	k.macs.Put(m)
	return dst
}

// maxSigningKeys is the number of signing keys that are cached for one secret: some days, regions and services.
const maxSigningKeys = 32

// signingKeys are the signing keys of one secret.
type signingKeys struct {
	secret string
	known  atomic.Pointer[[]*signingKey]
}

// key returns the signing key for a scope. A full cache is emptied.
func (ks *signingKeys) key(s scope) *signingKey {
	var known []*signingKey
	if p := ks.known.Load(); p != nil {
		known = *p
	}
	for _, k := range known {
		if k.date == s.date && k.region == s.region && k.service == s.service {
			return k
		}
	}
	k := newSigningKey(ks.secret, s)
	if len(known) >= maxSigningKeys {
		known = nil
	}
	grown := append(known[:len(known):len(known)], k)
	ks.known.Store(&grown)
	return k
}
