package engine

import "fmt"

// RequestIDLength is the length of the service's request ids.
const RequestIDLength = 52

// AppendRequestID appends a new request id: RequestIDLength capital letters and digits.
func (s *Engine) AppendRequestID(dst []byte) []byte {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345" // 5 bits each
	var bits uint64
	for i := range RequestIDLength {
		if i%12 == 0 {
			bits = s.Random.Next()
		}
		dst = append(dst, alphabet[bits&31])
		bits >>= 5
	}
	return dst
}

// NextUUID returns a random UUID, version 4.
func (s *Engine) NextUUID() string {
	hi, lo := s.Random.Next(), s.Random.Next()
	hi = hi&^0xf000 | 0x4000
	lo = lo&^(3<<62) | 1<<63
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", hi>>32, hi>>16&0xffff, hi&0xffff, lo>>48, lo&(1<<48-1))
}
