package changelog

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// Position is the position of a change in its log, and its time in nanoseconds since 1970.
type Position uint64

// last is the greatest position. No change has it.
const last Position = math.MaxUint64

// At returns the first position of a time: 0 before 1970, and the last position that has a time after 2262.
func At(t time.Time) Position {
	switch seconds := t.Unix(); {
	case seconds < 0:
		return 0
	case seconds >= math.MaxInt64/int64(time.Second): // UnixNano would overflow
		return math.MaxInt64
	}
	return Position(t.UnixNano())
}

// Time returns the time of the change at the position, in UTC.
func (p Position) Time() time.Time { return time.Unix(0, int64(p)).UTC() }

// Prefix returns the prefix of the keys of a log.
func Prefix(id uint32) []byte { return binary.BigEndian.AppendUint32([]byte{keyspace.Changes}, id) }

func appendKey(dst []byte, id uint32, p Position) []byte {
	dst = binary.BigEndian.AppendUint32(append(dst, keyspace.Changes), id)
	return binary.BigEndian.AppendUint64(dst, uint64(p))
}

// positionOf returns the position in a log's key.
func positionOf(key []byte) Position { return Position(binary.BigEndian.Uint64(key[1+4:])) }
