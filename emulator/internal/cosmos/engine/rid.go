package engine

import (
	"encoding/binary"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// ChildRID returns the resource id of an item or script of the container.
func (c *Container) ChildRID(kind byte, number uint64) string {
	var buf [wire.ChildRIDSize]byte
	return string(c.appendChildRID(buf[:0], kind, number))
}

func (c *Container) appendChildRID(dst []byte, kind byte, number uint64) []byte {
	var buf [16]byte
	raw := buf[:0]
	raw = binary.BigEndian.AppendUint32(raw, c.Database.number)
	raw = binary.BigEndian.AppendUint32(raw, c.ordinal|wire.ContainerBit)
	raw = binary.LittleEndian.AppendUint64(raw, number&(1<<60-1)|uint64(kind)<<60)
	return wire.AppendRID(dst, raw)
}

// ParseItemRID returns the number in the resource id of an item. ok is false if rid is not the resource id of an item
// of this container.
func (c *Container) ParseItemRID(rid string) (number uint64, ok bool) {
	raw, ok := wire.DecodeRID(rid)
	if !ok || len(raw) != 16 || binary.BigEndian.Uint32(raw) != c.Database.number ||
		binary.BigEndian.Uint32(raw[4:]) != c.ordinal|wire.ContainerBit {
		return 0, false
	}
	number = binary.LittleEndian.Uint64(raw[8:])
	return number & (1<<60 - 1), number>>60 == wire.RIDItem
}
