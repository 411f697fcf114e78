package engine

import (
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
)

// knownRIDs caches the rids of identities, so that a point read needs one lookup in the store instead of two. An entry
// never becomes wrong: a rid is never reused for another item, and if its item is gone, the store is read. Each slot
// holds the identity that was read last.
type knownRIDs struct {
	slots [1 << 15]atomic.Pointer[knownRID]
}

type knownRID struct {
	identity string
	rid      uint64
}

func (k *knownRIDs) slot(identity []byte) *atomic.Pointer[knownRID] {
	return &k.slots[xxhash.Sum64(identity)%uint64(len(k.slots))]
}

// of returns the rid of an identity; 0: not cached.
func (k *knownRIDs) of(identity []byte) uint64 {
	if known := k.slot(identity).Load(); known != nil && known.identity == string(identity) {
		return known.rid
	}
	return 0
}

// note caches the rid of an identity.
func (k *knownRIDs) note(identity []byte, rid uint64) {
	k.slot(identity).Store(&knownRID{string(identity), rid})
}
