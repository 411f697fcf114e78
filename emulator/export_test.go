package emulator

import (
	"bytes"
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/tabletop-db/tabletop/emulator/internal/budget"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
	"github.com/tabletop-db/tabletop/emulator/internal/store/keyspace"
)

// WithDisk keeps the database files of WithData on another disk.
func WithDisk(disk vfs.FS) Option { return func(o *options) { o.disk = disk } }

// WithBudget sets the limits of one request to KMS, STS or CloudWatch.
func WithBudget(l budget.Limits) Option { return func(o *options) { o.budget = l } }

// Held returns how many bytes of memory the requests in progress hold.
func (e *Emulator) Held() int64 { return e.pool.Used() }

// KeySpaces returns the names of the key spaces that have keys, and the keys that are in none.
func (e *Emulator) KeySpaces() (names []string, undeclared [][]byte, err error) {
	err = e.store.View(func(r *store.Reader) error {
		it := r.Iter(nil, nil, false)
		defer it.Close()
		for it.Next() {
			if s, ok := keyspace.Of(it.Key()); !ok {
				undeclared = append(undeclared, bytes.Clone(it.Key()))
			} else if !slices.Contains(names, s.Name) {
				names = append(names, s.Name)
			}
		}
		return it.Close()
	})
	return names, undeclared, err
}

// Flush moves the newest updates from memory to the data folder's tables.
func (e *Emulator) Flush() error { return e.store.Flush() }

// ForgetFigures drops all metrics and the usage, of which those of deleted tables and containers stay for a while.
func (e *Emulator) ForgetFigures() {
	e.metrics.registry.Forget()
	e.spending.used.Begin()
	m := e.cosmos.metrics
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sweep()
}

// TableKeys returns how many tables have or had a key whose values may still be in the store.
func (e *Emulator) TableKeys() (n int, err error) {
	err = e.store.View(func(r *store.Reader) error {
		prefix := []byte{keyspace.DynamoTableKeys}
		it := r.Iter(prefix, store.PrefixEnd(prefix), false)
		for it.Next() {
			n++
		}
		return it.Close()
	})
	return n, err
}
