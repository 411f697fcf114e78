package wire

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
)

// A resource id names a resource and its owners: a database has 4 bytes, a container 4 more with the highest bit set,
// what a container holds 8 more, little-endian, whose last half byte is the kind. It is written in base64 with - for /,
// as the SDKs take it apart (ResourceId of the Java SDK).

// The kinds of what a container holds.
const (
	RIDItem      = 0x0
	ridConflict  = 0x4
	RIDRange     = 0x5
	RIDUDF       = 0x6
	RIDTrigger   = 0x7
	RIDProcedure = 0x8
)

const ContainerBit = 1 << 31

// EncodeRID writes the bytes of a resource id as text.
func EncodeRID(raw []byte) string {
	return strings.ReplaceAll(base64.StdEncoding.EncodeToString(raw), "/", "-")
}

// DecodeRID is the bytes of a resource id; ok is false of what is none.
func DecodeRID(text string) (raw []byte, ok bool) {
	if len(text)%4 != 0 { // as most names are, which are looked at too
		return nil, false
	}
	raw, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(text, "-", "/"))
	return raw, err == nil && len(raw) >= 4
}

// DatabaseRID returns the resource id of a database.
func DatabaseRID(number uint32) string {
	return EncodeRID(binary.BigEndian.AppendUint32(nil, number))
}

// ContainerRID returns the resource id of a container.
func ContainerRID(database, number uint32) string {
	raw := binary.BigEndian.AppendUint32(nil, database)
	return EncodeRID(binary.BigEndian.AppendUint32(raw, number|ContainerBit))
}
