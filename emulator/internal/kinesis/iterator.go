package kinesis

import (
	"encoding/base64"
	"encoding/binary"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
)

// iteratorLifetime is how long a shard iterator is valid.
const iteratorLifetime = 5 * time.Minute

// iterator is a position in a shard.
type iterator struct {
	stream  string
	firstID uint32 // of the stream: a later stream with the same name has other logs
	shard   int
	next    changelog.Position // to be read next
	issued  time.Time
}

// The text of an iterator is opaque to clients: a version, the time of issue, the position, the stream and the shard. A
// forged one reads only a stream of the same account, and policies apply.
const (
	iteratorVersion = 1
	iteratorHeader  = 1 + 8 + 8 + 4 + 4
)

func (i iterator) encode() string {
	b := binary.BigEndian.AppendUint64([]byte{iteratorVersion}, uint64(i.issued.UnixMilli()))
	b = binary.BigEndian.AppendUint64(b, uint64(i.next))
	b = binary.BigEndian.AppendUint32(b, i.firstID)
	b = binary.BigEndian.AppendUint32(b, uint32(i.shard))
	return base64.StdEncoding.EncodeToString(append(b, i.stream...))
}

// decodeIterator parses the text of an iterator; ok is false if it is invalid.
func decodeIterator(text string) (i iterator, ok bool) {
	b, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || len(b) < iteratorHeader || b[0] != iteratorVersion || !isName(string(b[iteratorHeader:])) {
		return i, false
	}
	i = iterator{
		issued:  time.UnixMilli(int64(binary.BigEndian.Uint64(b[1:]))),
		next:    changelog.Position(binary.BigEndian.Uint64(b[9:])),
		firstID: binary.BigEndian.Uint32(b[17:]), shard: int(binary.BigEndian.Uint32(b[21:])),
		stream: string(b[iteratorHeader:]),
	}
	return i, i.encode() == text // no time overflowed
}
