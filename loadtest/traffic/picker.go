package traffic

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/tabletop-db/tabletop/loadtest/profile"
)

// picker makes the random decisions that follow from the seed of a run: which thing a request is about, and how large a
// batch is.
type picker struct {
	source *rand.ChaCha8
	rand   *rand.Rand    // uses source
	turns  map[int]int   // by part of the mix: position in its order
	orders map[int][]int // by number of things: their order, shuffled once
}

func newPicker(seed uint64) *picker {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	source := rand.NewChaCha8(key)
	return &picker{source: source, rand: rand.New(source), turns: map[int]int{}, orders: map[int][]int{}}
}

// pick returns the number, from 0, of the one of n things that a part's next request is about: the one that the part
// names or, by default, each in turn in an order that is shuffled once.
func (c *picker) pick(number int, p profile.Part, n int) int {
	if p.Only > 0 {
		return p.Only - 1
	}
	if c.orders[n] == nil {
		c.orders[n] = c.rand.Perm(n)
	}
	c.turns[number]++
	return c.orders[n][c.turns[number]%n]
}

// batchSize returns the number of things in a part's next request.
func (c *picker) batchSize(p profile.Part) int {
	if p.Batch.Max == 0 {
		return 1
	}
	return p.Batch.Min + c.rand.IntN(p.Batch.Max-p.Batch.Min+1)
}
