package engine

import (
	"encoding/binary"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// The number of a child resource is part of its resource id, and that of a user is part of the keys of the user's
// permissions, so no two resources of a set have the same. Numbers are assigned in order, from a block of numbers that
// are not in use. Only to find a block is the set read: for the first resource, or the first after an older version of
// the emulator, which assigned numbers at random.

// childNumbers is the number of numbers: a user's has 31 bits in its resource id.
const childNumbers = 1 << 31

// block is the numbers from next to before end, which are free.
type block struct{ next, end uint64 }

func (b block) record() []byte { return store.AppendUint64(store.AppendUint64(nil, b.next), b.end) }

// NewNumber returns a number that no resource of the set has had since its block was found.
func (s *ChildSet) NewNumber(tx *store.Tx) (uint64, error) {
	var free block
	value, ok, err := tx.Get(s.numbersKey)
	if err != nil {
		return 0, err
	}
	if ok && len(value) == 16 {
		free = block{binary.BigEndian.Uint64(value), binary.BigEndian.Uint64(value[8:])}
	}
	if free.next == free.end {
		if free, err = s.largestBlock(&tx.Reader); err != nil {
			return 0, err
		}
	}
	number := free.next
	free.next++
	return number, tx.Set(s.numbersKey, free.record())
}

// largestBlock returns the largest block of numbers that no resource of the set has. Zero is not a number.
func (s *ChildSet) largestBlock(r *store.Reader) (largest block, err error) {
	taken := []uint64{0, childNumbers}
	if _, err := s.Find(r, func(child *ChildResource) bool {
		taken = append(taken, child.Number)
		return false
	}); err != nil {
		return largest, err
	}
	slices.Sort(taken)
	for i, end := range taken[1:] {
		if free := (block{taken[i] + 1, end}); free.next < end && end-free.next > largest.end-largest.next {
			largest = free
		}
	}
	return largest, nil
}
