package cosmos

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
)

// A resource id names a resource and its owners: a database has 4 bytes, a container 4 more with the highest bit set, what
// a container holds 8 more, little-endian, whose last half byte is the kind. It is written in base64 with - for /, as the
// SDKs take it apart (ResourceId of the Java SDK).

// The kinds of what a container holds.
const (
	ridItem      = 0x0
	ridConflict  = 0x4
	ridRange     = 0x5
	ridUDF       = 0x6
	ridTrigger   = 0x7
	ridProcedure = 0x8
)

const containerBit = 1 << 31

func encodeRID(raw []byte) string {
	return strings.ReplaceAll(base64.StdEncoding.EncodeToString(raw), "/", "-")
}

// decodeRID is the bytes of a resource id; ok is false of what is none.
func decodeRID(text string) (raw []byte, ok bool) {
	if len(text)%4 != 0 { // as most names are, which are looked at too
		return nil, false
	}
	raw, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(text, "-", "/"))
	return raw, err == nil && len(raw) >= 4
}

func databaseRID(number uint32) string {
	return encodeRID(binary.BigEndian.AppendUint32(nil, number))
}

func containerRID(database, number uint32) string {
	raw := binary.BigEndian.AppendUint32(nil, database)
	return encodeRID(binary.BigEndian.AppendUint32(raw, number|containerBit))
}

// childRID is the resource id of what a container holds.
func (c *container) childRID(kind byte, number uint64) string {
	raw := make([]byte, 0, 16)
	raw = binary.BigEndian.AppendUint32(raw, c.database.number)
	raw = binary.BigEndian.AppendUint32(raw, c.ordinal|containerBit)
	raw = binary.LittleEndian.AppendUint64(raw, number&(1<<60-1)|uint64(kind)<<60)
	return encodeRID(raw)
}

// itemNumber is the number in the resource id of an item of the container; ok is false where it is not of one.
func (c *container) itemNumber(rid string) (number uint64, ok bool) {
	raw, ok := decodeRID(rid)
	if !ok || len(raw) != 16 || binary.BigEndian.Uint32(raw) != c.database.number || binary.BigEndian.Uint32(raw[4:]) != c.ordinal|containerBit {
		return 0, false
	}
	number = binary.LittleEndian.Uint64(raw[8:])
	return number & (1<<60 - 1), number>>60 == ridItem
}
