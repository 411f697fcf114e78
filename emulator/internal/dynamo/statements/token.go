package statements

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/data"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/item"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
	"github.com/tabletop-db/tabletop/emulator/internal/jsonread"
)

// A NextToken is valid only for the text of its statement and the values of its parameters; the Limit may change. A
// statement with a list or a map among its parameters cannot be continued. (nubo-db/dynoxide, captures of 2026-10 in
// eu-west-2 and us-east-1. Not modelled: the service distinguishes 0 from 0.0.)
//
// The format is the emulator's own: a version, the binding, the range that the page ended in, and the last key as JSON.

const tokenVersion = 1

// errTokenMismatch returns the error for a token of another statement.
func errTokenMismatch() error { return wire.ValidationError("NextToken does not match request") }

// errInvalidToken returns the error for a text that is not a token.
func errInvalidToken() error { return wire.ValidationError("Invalid NextToken") }

// tokenBinding returns a hash of the statement and its parameters, which its tokens contain.
func (s *statement) tokenBinding() [16]byte {
	h := sha256.New()
	write := func(b []byte) {
		h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(b))))
		h.Write(b)
	}
	write([]byte(s.Statement.V))
	for _, p := range s.parameters {
		write(p.AppendJSON(nil))
	}
	return [16]byte(h.Sum(nil))
}

func encodeToken(binding [16]byte, lastRange int, key []byte) string {
	out := append([]byte{tokenVersion}, binding[:]...)
	out = binary.BigEndian.AppendUint32(out, uint32(lastRange))
	return base64.StdEncoding.EncodeToString(append(out, key...))
}

func decodeToken(text string, binding [16]byte, parameters []item.Value) (start data.StatementStart, err error) {
	raw, err := base64.StdEncoding.DecodeString(text)
	const head = 1 + 16 + 4
	if err != nil || len(raw) < head || raw[0] != tokenVersion {
		return start, errInvalidToken()
	}
	if [16]byte(raw[1:17]) != binding {
		return start, errTokenMismatch()
	}
	for _, p := range parameters {
		if p.Type() == item.List || p.Type() == item.Map {
			return start, errTokenMismatch()
		}
	}
	reader, err := jsonread.New(raw[head:])
	if err != nil {
		return start, errInvalidToken()
	}
	var d item.Decoder
	key, err := d.Item(&reader)
	if err != nil || d.Err() != nil || reader.End() != nil {
		return start, errInvalidToken()
	}
	return data.StatementStart{Range: int(binary.BigEndian.Uint32(raw[17:])), After: key}, nil
}
