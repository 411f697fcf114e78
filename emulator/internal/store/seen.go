package store

import (
	"sync"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
)

// A keyFilter is a Bloom filter of every key that was set since the store was empty. It answers lookups of keys that
// were never set, which most puts, idempotency markers and "if not exists" conditions make. Pebble would search each
// memtable and each level, and does not use its own filters in the last level, where nearly all tables are: 6 µs
// instead of 0.1 µs.
//
// Each key sets bits in one 64-bit word, so a lookup costs one cache miss for each generation. When a generation is
// full, one four times as large follows. Deleted keys stay; their lookups cost what they would without the filter. A
// key is added before its commit, so a reader never misses a key that it could have seen.
type keyFilter struct {
	grow        sync.Mutex
	generations atomic.Pointer[[]*filterGeneration]
	limited     atomic.Bool // full at the largest size: mayContain always returns true
}

const (
	firstGeneration = 8 << 10 // keys
	lastGeneration  = 8 << 20 // keys; all generations together are 32 MB then
	generationRatio = 4
	bitsPerKey      = 24 // one lookup of an absent key in three hundred is a false positive
	bitsSet         = 6  // of each key
)

type filterGeneration struct {
	words    []atomic.Uint64
	capacity int64
	added    atomic.Int64
}

func newKeyFilter() *keyFilter {
	s := &keyFilter{}
	s.generations.Store(&[]*filterGeneration{newFilterGeneration(firstGeneration)})
	return s
}

func newFilterGeneration(capacity int64) *filterGeneration {
	return &filterGeneration{words: make([]atomic.Uint64, capacity*bitsPerKey/64), capacity: capacity}
}

// mayContain returns false only if the key with this hash (xxhash) was never added.
func (s *keyFilter) mayContain(hash uint64) bool { return s.limited.Load() || s.contains(hash) }

func (s *keyFilter) contains(hash uint64) bool {
	for _, g := range *s.generations.Load() {
		if word, bits := g.place(hash); word.Load()&bits == bits {
			return true
		}
	}
	return false
}

// add makes mayContain true for the key.
func (s *keyFilter) add(key []byte) {
	hash := xxhash.Sum64(key)
	if s.limited.Load() || s.contains(hash) {
		return
	}
	generations := *s.generations.Load()
	newest := generations[len(generations)-1]
	word, bits := newest.place(hash)
	word.Or(bits)
	if newest.added.Add(1) == newest.capacity {
		s.addGeneration(newest.capacity * generationRatio)
	}
}

func (s *keyFilter) addGeneration(capacity int64) {
	if capacity > lastGeneration {
		s.limited.Store(true)
		return
	}
	s.grow.Lock()
	defer s.grow.Unlock()
	old := *s.generations.Load()
	grown := append(old[:len(old):len(old)], newFilterGeneration(capacity))
	s.generations.Store(&grown)
}

// place returns the key's word and its bits in it. The upper half of the hash chooses the word, the lower the bits.
func (g *filterGeneration) place(hash uint64) (word *atomic.Uint64, bits uint64) {
	word = &g.words[(hash>>32)*uint64(len(g.words))>>32]
	for range bitsSet {
		bits |= 1 << (hash & 63)
		hash >>= 6
	}
	return word, bits
}
