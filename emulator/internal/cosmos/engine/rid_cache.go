package engine

import (
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
)

// ridCache caches the rids of identities, so that a point read needs one lookup in the store instead of two. An entry
// never becomes wrong: a rid is never reused for another item, and if its item is gone, the store is read. Each slot
// holds the identity that was read last.
type ridCache struct {
	slots [1 << 15]atomic.Pointer[ridCacheEntry]
}

type ridCacheEntry struct {
	identity string
	rid      uint64
}

func (k *ridCache) slot(identity []byte) *atomic.Pointer[ridCacheEntry] {
	return &k.slots[xxhash.Sum64(identity)%uint64(len(k.slots))]
}

// get returns the rid of an identity; 0: not cached.
func (k *ridCache) get(identity []byte) uint64 {
	if entry := k.slot(identity).Load(); entry != nil && entry.identity == string(identity) {
		return entry.rid
	}
	return 0
}

// put caches the rid of an identity.
func (k *ridCache) put(identity []byte, rid uint64) {
	k.slot(identity).Store(&ridCacheEntry{string(identity), rid})
}
