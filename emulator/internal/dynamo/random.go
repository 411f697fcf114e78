package dynamo

import (
	"fmt"
	"sync/atomic"
)

// random is a stream of numbers from a seed (SplitMix64), cheap enough for an id in every answer and safe
// for concurrent use.
type random struct{ state atomic.Uint64 }

func (r *random) seed(seed uint64) { r.state.Store(seed) }

func (r *random) next() uint64 {
	z := r.state.Add(0x9e3779b97f4a7c15)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// requestIDLength is that of the service's request ids, of capitals and digits.
const requestIDLength = 52

func (s *Service) appendRequestID(dst []byte) []byte {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345" // 5 bits each
	var bits uint64
	for i := range requestIDLength {
		if i%12 == 0 {
			bits = s.random.next()
		}
		dst = append(dst, alphabet[bits&31])
		bits >>= 5
	}
	return dst
}

// nextUUID is a random UUID of version 4.
func (s *Service) nextUUID() string {
	hi, lo := s.random.next(), s.random.next()
	hi = hi&^0xf000 | 0x4000
	lo = lo&^(3<<62) | 1<<63
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", hi>>32, hi>>16&0xffff, hi&0xffff, lo>>48, lo&(1<<48-1))
}
