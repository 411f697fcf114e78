package store

// WithMemTable returns options for a folder whose memtables have that many bytes. With few, a short history flushes,
// compacts and replaces logs as often as a long one.
func (o Options) WithMemTable(bytes int) Options {
	o.memTable = bytes
	return o
}

// IdleTables returns the names of the files of all tables that the database reads, or none while a flush or a
// compaction runs, which may be about to drop some of them.
func (s *Store) IdleTables() (names []string, err error) {
	levels, err := pebbleOf(s).SSTables()
	if err != nil {
		return nil, err
	}
	for _, level := range levels {
		for _, table := range level {
			names = append(names, table.BackingSSTNum.String()+".sst")
		}
	}
	if m := pebbleOf(s).Metrics(); m.Compact.NumInProgress > 0 || m.Flush.NumInProgress > 0 {
		return nil, nil
	}
	return names, nil
}

// WrittenBytes returns how many bytes flushes and compactions have written to sorted tables.
func (s *Store) WrittenBytes() (n uint64) {
	for _, level := range pebbleOf(s).Metrics().Levels {
		n += level.TableBytesFlushed + level.TableBytesCompacted
	}
	return n
}

// SnapshotBelow is Snapshot with another limit than Pebble's for the size of a batch.
func (s *Store) SnapshotBelow(limit int) (*Snapshot, error) { return s.snapshot(limit) }

// WritersWait reports whether writers wait for compactions.
func (s *Store) WritersWait() bool { return s.condition.overlap.full.Load() }
