package store

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Names maps ranges of keys to names of what they hold, such as `table "orders"`, for messages about damage. The zero
// value has no names. It is safe for concurrent use, and its methods wait for nothing else: a file may turn out to be
// damaged while any lock is held.
type Names struct {
	mu sync.RWMutex
	of map[string]named // by key prefix
}

// named is a name and its rank.
type named struct {
	name string
	rank Rank
}

// Rank is the order of names in a message, which lists only the first few.
type Rank int

// The ranks: what users created, what belongs to it, and the rest.
const (
	Whole Rank = iota // a table, a container
	Part              // an index, changes, a backup
	Other             // about all tables together
)

// Names returns the names of the store's keys, which the packages above set. They are not stored.
func (s *Store) Names() *Names { return &s.names }

// Set names the keys with a prefix. Of several prefixes of a key the longest applies.
func (n *Names) Set(prefix []byte, rank Rank, name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.of == nil {
		n.of = map[string]named{}
	}
	n.of[string(prefix)] = named{name, rank}
}

// Forget removes the names of all prefixes that begin with prefix.
func (n *Names) Forget(prefix []byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for p := range n.of {
		if strings.HasPrefix(p, string(prefix)) {
			delete(n.of, p)
		}
	}
}

// Of returns the name of a key, or an empty string.
func (n *Names) Of(key []byte) string {
	n.mu.RLock()
	defer n.mu.RUnlock()
	for length := min(len(key), longestPrefix); length > 0; length-- {
		if found, ok := n.of[string(key[:length])]; ok {
			return found.name
		}
	}
	return ""
}

// longestPrefix is the largest length of a prefix in bytes: two letters and a number.
const longestPrefix = 6

// In returns the names of what has keys between from and to, both included, by rank and name, without duplicates. A nil
// from means the first key of all, a nil to the last.
func (n *Names) In(from, to []byte) []string {
	n.mu.RLock()
	defer n.mu.RUnlock()
	var found []named
	for p, one := range n.of {
		prefix := []byte(p)
		after := PrefixEnd(prefix)
		if (to == nil || bytes.Compare(prefix, to) <= 0) && (after == nil || bytes.Compare(from, after) < 0) {
			found = append(found, one)
		}
	}
	slices.SortFunc(found, func(a, b named) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.name, b.name))
	})
	var names []string
	for _, one := range slices.Compact(found) {
		names = append(names, one.name)
	}
	return names
}

// maxNames is how many names a message lists.
const maxNames = 5

// listed formats names for a message.
func listed(names []string) string {
	if len(names) <= maxNames {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d others", strings.Join(names[:maxNames], ", "), len(names)-maxNames)
}
