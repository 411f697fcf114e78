package awsapi

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"

	"github.com/tabletop-db/tabletop/emulator/internal/random"
)

// IDs generates the ids of responses from a seed, without repetition. It is safe for concurrent use.
type IDs struct {
	Seed   uint64
	issued atomic.Uint64
}

// Next returns the next id.
func (i *IDs) Next() string { return NumberedUUID(i.Seed, i.issued.Add(1)) }

// NumberedUUID returns the UUID of a number in the sequence of a seed.
func NumberedUUID(seed, n uint64) string {
	from := rand.NewPCG(seed, n)
	return UUID(from.Uint64(), from.Uint64())
}

// UUID returns a UUID of version 4 from two random numbers.
func UUID(hi, lo uint64) string {
	hi = hi&^0xf000 | 0x4000
	lo = lo&^(3<<62) | 1<<63
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", hi>>32, hi>>16&0xffff, hi&0xffff, lo>>48, lo&(1<<48-1))
}

// longIDLength is the length of the request ids of DynamoDB.
const longIDLength = 52

// AppendLongID appends a request id of DynamoDB: 52 capital letters and digits.
func AppendLongID(dst []byte, from *random.Stream) []byte {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345" // 5 bits each
	var bits uint64
	for i := range longIDLength {
		if i%12 == 0 {
			bits = from.Next()
		}
		dst = append(dst, alphabet[bits&31])
		bits >>= 5
	}
	return dst
}
