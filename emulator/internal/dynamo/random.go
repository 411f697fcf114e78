package dynamo

import "fmt"

// requestIDLength is that of the service's request ids, of capitals and digits.
const requestIDLength = 52

func (s *Service) appendRequestID(dst []byte) []byte {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345" // 5 bits each
	var bits uint64
	for i := range requestIDLength {
		if i%12 == 0 {
			bits = s.random.Next()
		}
		dst = append(dst, alphabet[bits&31])
		bits >>= 5
	}
	return dst
}

// nextUUID is a random UUID of version 4.
func (s *Service) nextUUID() string {
	hi, lo := s.random.Next(), s.random.Next()
	hi = hi&^0xf000 | 0x4000
	lo = lo&^(3<<62) | 1<<63
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", hi>>32, hi>>16&0xffff, hi&0xffff, lo>>48, lo&(1<<48-1))
}
