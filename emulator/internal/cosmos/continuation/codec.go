package continuation

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

const (
	version = 1
	macSize = 12 // length of the signature in bytes: enough to make guessing infeasible

	// maxTokenLength is the maximum length of a client's token in characters. The largest part of a token is a value of
	// ORDER BY.
	maxTokenLength = 64 << 10
)

// ErrInvalid is the error for a token that was not encoded with the same key.
var ErrInvalid = errors.New("the continuation token is invalid")

// Codec encodes tokens as base64 text and decodes them. It signs tokens, to detect forged or truncated ones.
type Codec struct{ key []byte }

// NewCodec returns a Codec that signs with a key.
func NewCodec(key []byte) *Codec { return &Codec{key: key} }

// Encode returns the text of a token.
func (c *Codec) Encode(t *Token) string {
	b := []byte{version}
	b = appendBytes(b, []byte(t.Owner))
	b = append(b, t.Query[:]...)
	for _, p := range t.Pending {
		b = appendBytes(appendBytes(appendBytes(b, p.Low), p.High), p.State)
	}
	return base64.RawURLEncoding.EncodeToString(append(b, c.mac(b)...))
}

func (c *Codec) mac(b []byte) []byte {
	mac := hmac.New(sha256.New, c.key)
	mac.Write([]byte("continuation"))
	mac.Write(b)
	return mac.Sum(nil)[:macSize]
}

// Decode decodes a token that Encode has encoded. Errors: ErrInvalid.
func (c *Codec) Decode(text string) (*Token, error) {
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(text) > maxTokenLength || len(b) < macSize+1 {
		return nil, ErrInvalid
	}
	b, signature := b[:len(b)-macSize], b[len(b)-macSize:]
	if !hmac.Equal(signature, c.mac(b)) || b[0] != version {
		return nil, ErrInvalid
	}
	r := bytesReader{rest: b[1:]}
	t := &Token{Owner: string(r.bytes())}
	copy(t.Query[:], r.take(len(t.Query)))
	for len(r.rest) > 0 && !r.failed {
		within := doc.EPKRange{Low: doc.EPK(r.bytes()), High: doc.EPK(r.bytes())}
		t.Pending = append(t.Pending, Part{EPKRange: within, State: r.bytes()})
	}
	if r.failed {
		return nil, ErrInvalid
	}
	return t, nil
}

func appendBytes(b, field []byte) []byte {
	return append(binary.AppendUvarint(b, uint64(len(field))), field...)
}

// bytesReader reads what appendBytes has written. bad is set if the input is too short.
type bytesReader struct {
	rest   []byte
	failed bool
}

func (r *bytesReader) bytes() []byte {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 || n > uint64(len(r.rest)-size) {
		r.rest, r.failed = nil, true
		return nil
	}
	r.rest = r.rest[size:]
	return r.take(int(n))
}

func (r *bytesReader) take(n int) []byte {
	if n > len(r.rest) {
		r.rest, r.failed = nil, true
		return nil
	}
	field := r.rest[:n]
	r.rest = r.rest[n:]
	return field
}
