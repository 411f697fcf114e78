//go:build poison

package store

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync"
)

// heldLock is a lock that a goroutine holds.
type heldLock struct {
	of   any
	rank LockRank
}

// locks are the held locks by goroutine number.
var locks struct {
	mu sync.Mutex
	of map[uint64][]heldLock
}

// willLock panics if the goroutine holds a lock of a rank after r. It is called before the goroutine waits.
func willLock(r LockRank) {
	if r == unranked {
		return
	}
	locks.mu.Lock()
	defer locks.mu.Unlock()
	for _, l := range locks.of[goroutine()] {
		if l.rank > r || l.rank == latched {
			panic(fmt.Sprintf(
				"a lock of rank %d is taken while one of rank %d is held: the order is running, definitions, latches", r, l.rank))
		}
	}
}

// locked records that the goroutine holds a lock.
func locked(of any, r LockRank) {
	if r == unranked {
		return
	}
	locks.mu.Lock()
	defer locks.mu.Unlock()
	if locks.of == nil {
		locks.of = map[uint64][]heldLock{}
	}
	id := goroutine()
	locks.of[id] = append(locks.of[id], heldLock{of, r})
}

// unlocked records that a lock is free. The goroutine that frees it may not be the one that took it.
func unlocked(of any, r LockRank) {
	if r == unranked {
		return
	}
	locks.mu.Lock()
	defer locks.mu.Unlock()
	if forget(goroutine(), of) {
		return
	}
	for id := range locks.of {
		if forget(id, of) {
			return
		}
	}
}

// forget removes a lock from those of a goroutine, and reports whether it was there. locks.mu must be held.
func forget(id uint64, of any) bool {
	all := locks.of[id]
	i := slices.IndexFunc(all, func(l heldLock) bool { return l.of == of })
	if i < 0 {
		return false
	}
	if locks.of[id] = slices.Delete(all, i, i+1); len(locks.of[id]) == 0 {
		delete(locks.of, id)
	}
	return true
}

// goroutine returns the number of the current goroutine, from its stack trace.
func goroutine() uint64 {
	var buf [64]byte
	text := bytes.TrimPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine "))
	digits, _, _ := bytes.Cut(text, []byte(" "))
	id, err := strconv.ParseUint(string(digits), 10, 64)
	if err != nil {
		panic(err)
	}
	return id
}
