package traffic

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/tabletop-db/tabletop/loadtest/profile"
)

// chance is what follows from the seed of a run: whose turn it is, and how large a batch is.
type chance struct {
	source *rand.ChaCha8
	rand   *rand.Rand    // of the same source
	turns  map[int]int   // of each part of the mix, through what its requests are about
	orders map[int][]int // of so many things, shuffled once
}

func newChance(seed uint64) *chance {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	source := rand.NewChaCha8(key)
	return &chance{source: source, rand: rand.New(source), turns: map[int]int{}, orders: map[int][]int{}}
}

// one is the number, from 0, of the one of n things that a part's next request is about: the one that it names, or each
// in its turn, in an order shuffled once.
func (c *chance) one(number int, p profile.Part, n int) int {
	if p.Only > 0 {
		return p.Only - 1
	}
	if c.orders[n] == nil {
		c.orders[n] = c.rand.Perm(n)
	}
	c.turns[number]++
	return c.orders[n][c.turns[number]%n]
}

// batch is how many things a part's next request has.
func (c *chance) batch(p profile.Part) int {
	if p.Batch.Most == 0 {
		return 1
	}
	return p.Batch.Least + c.rand.IntN(p.Batch.Most-p.Batch.Least+1)
}
