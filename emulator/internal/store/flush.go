package store

// Flush moves the newest updates from memory to sorted tables, as the store does by itself when they fill a memtable.
// It makes measurements of memory comparable.
func (s *Store) Flush() error {
	if !s.ops.enter() {
		return ErrClosed
	}
	defer s.ops.leave()
	return s.explain(pebbleOf(s).Flush())
}
