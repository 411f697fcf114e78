package awsapi

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
)

// IDs generates the ids of answers from a seed, without repetition. It is safe for concurrent use.
type IDs struct {
	Seed uint64
	made atomic.Uint64
}

// Next returns the next id.
func (i *IDs) Next() string { return UUID(rand.NewPCG(i.Seed, i.made.Add(1))) }

// UUID returns a UUID of version 4 from random numbers.
func UUID(from *rand.PCG) string {
	hi, lo := from.Uint64(), from.Uint64()
	hi = hi&^0xf000 | 0x4000
	lo = lo&^(3<<62) | 1<<63
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", hi>>32, hi>>16&0xffff, hi&0xffff, lo>>48, lo&(1<<48-1))
}
