package engine

import (
	"encoding/binary"
	"encoding/hex"

	"github.com/tabletop-db/tabletop/emulator/internal/random"
)

// Random is the seeded stream of random numbers and GUIDs.
type Random struct{ random.Stream }

// GUID is a UUID of version 4.
type GUID [16]byte

// GUID returns the next random UUID.
func (c *Random) GUID() (g GUID) {
	binary.BigEndian.PutUint64(g[:8], c.Next())
	binary.BigEndian.PutUint64(g[8:], c.Next())
	g[6] = g[6]&0x0f | 0x40
	g[8] = g[8]&0x3f | 0x80
	return g
}

// guidSize is the length of a GUID as text, in bytes.
const guidSize = 36

// AppendTo appends the GUID as text.
func (g GUID) AppendTo(dst []byte) []byte {
	var text [guidSize]byte
	hex.Encode(text[:], g[:4])
	at := 8
	for _, part := range [...][]byte{g[4:6], g[6:8], g[8:10], g[10:]} {
		text[at] = '-'
		at += 1 + hex.Encode(text[at+1:], part)
	}
	return append(dst, text[:]...)
}

func (g GUID) String() string {
	var buf [guidSize]byte
	return string(g.AppendTo(buf[:0]))
}

// ETag returns the GUID as an entity tag, in quotes.
func (g GUID) ETag() string {
	var buf [guidSize + 2]byte
	return string(append(g.AppendTo(append(buf[:0], '"')), '"'))
}
