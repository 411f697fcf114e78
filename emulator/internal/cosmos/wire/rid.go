package wire

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
)

// A resource id identifies a resource and its parents. A database has 4 bytes. A container has 4 more, with the highest
// bit set. The children of a container have 8 more, little-endian, with the kind in the highest 4 bits. The text form
// is base64 with - instead of /, as SDKs decode it (ResourceId of the Java SDK).

// The kinds of a container's children.
const (
	RIDItem              = 0x0
	ridConflict          = 0x4
	RIDPartitionKeyRange = 0x5
	RIDUDF               = 0x6
	RIDTrigger           = 0x7
	RIDStoredProcedure   = 0x8
)

const ContainerBit = 1 << 31

// EncodeRID returns the text form of a resource id.
func EncodeRID(raw []byte) string {
	return ridEncoding.EncodeToString(raw)
}

// AppendRID appends the resource id of some bytes.
func AppendRID(dst, raw []byte) []byte { return ridEncoding.AppendEncode(dst, raw) }

// ChildRIDSize is the length in bytes of the resource id of a child of a container, such as an item.
const ChildRIDSize = 24

// ridEncoding is base64 with - instead of /, which would end a part of a path.
var ridEncoding = base64.NewEncoding("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-")

// DecodeRID returns the bytes of a resource id; ok is false if text is not one.
func DecodeRID(text string) (raw []byte, ok bool) {
	if len(text)%4 != 0 { // true of most names, which are passed here, too
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
