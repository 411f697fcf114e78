package engine

import (
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
)

// knownRIDs remembers under which rids identities were found lately, so that a point read need not ask the store for
// that. What it knows stays true as long as numbers are given: a rid is never another item's, and where its item is
// gone the store is asked. Of identities that share a slot it knows the one that was read last.
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

// of is the rid of an identity; 0: it is not known.
func (k *knownRIDs) of(identity []byte) uint64 {
	if known := k.slot(identity).Load(); known != nil && known.identity == string(identity) {
		return known.rid
	}
	return 0
}

// note remembers the rid of an identity.
func (k *knownRIDs) note(identity []byte, rid uint64) {
	k.slot(identity).Store(&knownRID{string(identity), rid})
}
