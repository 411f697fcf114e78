package kinesis

import (
	"crypto/md5"
	"fmt"
	"math/big"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/changelog"
)

// A sequence number is 186 bits in decimal, as on the service. The bits are those of mhart/kinesalite (2014 to 2020): a
// version, the creation time of the shard, the position, the time in seconds, and the shard. Sequence numbers of a
// shard are in the order of their positions.
const sequenceDigits = 47 // hexadecimal

// sequenceNumber returns the sequence number of a position in a shard. Position 0 is the start of the shard.
func (st *stream) sequenceNumber(shard int, p changelog.Position) string {
	seconds := p.Time().Unix()
	if p == 0 {
		seconds = int64(st.Created)
	}
	text := fmt.Sprintf("2%09x%x%016x00%09x%08x2", int64(st.Created), shard&0xf, uint64(p), seconds, shard)
	n, _ := new(big.Int).SetString(text, 16)
	return n.String()
}

// parseSequence returns the position of a sequence number of the stream, and the shard that it encodes; ok is false for
// a number of another format. own reports whether it belongs to this stream.
func (st *stream) parseSequence(number string) (p changelog.Position, shard int, own, ok bool) {
	n, ok := new(big.Int).SetString(number, 10)
	if !ok || n.Sign() < 0 {
		return 0, 0, false, false
	}
	text := n.Text(16)
	if len(text) != sequenceDigits || text[0] != '2' || text[46] != '2' {
		return 0, 0, false, false
	}
	created, _ := strconv.ParseInt(text[1:10], 16, 64)
	position, _ := strconv.ParseUint(text[11:27], 16, 64)
	index, _ := strconv.ParseInt(text[38:46], 16, 64)
	return changelog.Position(position), int(index), created == int64(st.Created), true
}

// hashOf returns the hash key of a partition key: its MD5, as AWS's documentation says.
func hashOf(partitionKey string) *big.Int {
	sum := md5.Sum([]byte(partitionKey))
	return new(big.Int).SetBytes(sum[:])
}
