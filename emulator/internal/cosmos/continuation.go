package cosmos

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// continuation is where a query goes on: parts of the hash space that are still to be read, from where in each. What is
// behind the last of them is still to be read from its beginning.
//
// It goes over the wire in base64, sealed with the account's key and bound to the container and to the query, so that one
// that is forged, cut or used elsewhere is found out. It names no physical partition: one that was split since goes on in
// those that it became.
type continuation struct {
	container string // its rid
	query     [8]byte
	pending   []pending
}

// pending is a part of the hash space that a query has not read to its end.
type pending struct {
	span
	state []byte // of the query in it; empty: it has not begun
}

const (
	continuationVersion = 1
	sealSize            = 12 // bytes of the seal: enough that nobody guesses one

	// maxContinuation bounds what is read of a client's token, in characters; the largest state is a value to order by.
	maxContinuation = 64 << 10
)

// invalidContinuation is a token that this query of this container did not give.
func invalidContinuation() *Error { return badRequest("Invalid Continuation Token") }

// seal writes a continuation for the client.
func (s *Service) seal(ct *continuation) string {
	b := []byte{continuationVersion}
	b = appendBytes(b, []byte(ct.container))
	b = append(b, ct.query[:]...)
	for _, p := range ct.pending {
		b = appendBytes(appendBytes(appendBytes(b, p.low), p.high), p.state)
	}
	return base64.RawURLEncoding.EncodeToString(append(b, s.sealOf(b)...))
}

func (s *Service) sealOf(b []byte) []byte {
	mac := hmac.New(sha256.New, s.keys[0])
	mac.Write([]byte("continuation"))
	mac.Write(b)
	return mac.Sum(nil)[:sealSize]
}

// open reads what seal has written.
func (s *Service) open(token string) (*continuation, *Error) {
	b, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(token) > maxContinuation || len(b) < sealSize+1 {
		return nil, invalidContinuation()
	}
	b, given := b[:len(b)-sealSize], b[len(b)-sealSize:]
	if !hmac.Equal(given, s.sealOf(b)) || b[0] != continuationVersion {
		return nil, invalidContinuation()
	}
	r := bytesReader{rest: b[1:]}
	ct := &continuation{container: string(r.bytes())}
	copy(ct.query[:], r.take(len(ct.query)))
	for len(r.rest) > 0 && !r.bad {
		ct.pending = append(ct.pending, pending{span{doc.EPK(r.bytes()), doc.EPK(r.bytes())}, r.bytes()})
	}
	if r.bad {
		return nil, invalidContinuation()
	}
	return ct, nil
}

func appendBytes(b, field []byte) []byte {
	return append(binary.AppendUvarint(b, uint64(len(field))), field...)
}

// bytesReader reads what appendBytes has written; bad once there was less than there should have been.
type bytesReader struct {
	rest []byte
	bad  bool
}

func (r *bytesReader) bytes() []byte {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 || n > uint64(len(r.rest)-size) {
		r.rest, r.bad = nil, true
		return nil
	}
	r.rest = r.rest[size:]
	return r.take(int(n)) //nolint:gosec // not above the length of rest
}

func (r *bytesReader) take(n int) []byte {
	if n > len(r.rest) {
		r.rest, r.bad = nil, true
		return nil
	}
	field := r.rest[:n]
	r.rest = r.rest[n:]
	return field
}
