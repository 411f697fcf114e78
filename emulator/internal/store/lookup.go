package store

// largeData is how much data a store has, in bytes, if a Lookup keeps tables open. With fewer tables, what Get finds in
// the memtable it finds sooner than an iterator, which looks into all levels (BenchmarkGetMany).
const largeData = 16 << 20

// Lookup reads keys one by one. If there is much data, it keeps open between two keys what all of them need: the tables
// of the first level, which overlap. For a few keys, [Reader.Get] is cheaper.
type Lookup struct {
	r  *Reader
	at Iter // opened by the first Get, if there is much data
}

// Lookup returns a Lookup of the state that a View reads. It must be closed before the function that received the
// Reader returns.
func (r *Reader) Lookup() Lookup { return Lookup{r: r} }

// Get returns the value of key, which must not be changed and is valid until the next call, and whether the key exists.
func (l *Lookup) Get(key []byte) (value []byte, ok bool, err error) {
	if !l.r.large {
		return l.r.Get(key)
	}
	i := &l.at
	if i.it == nil && i.err == nil {
		*i = l.r.Iter(nil, nil, false)
	}
	i.loans.End()
	if i.err != nil {
		return nil, false, i.err
	}
	// Keys have no suffixes: a whole key is its prefix, so that Pebble finds only this key, and uses the tables' filters.
	if !i.it.SeekPrefixGE(key) {
		return nil, false, i.it.Error()
	}
	value = i.Value()
	return value, i.err == nil, i.err
}

// Close releases what the Lookup has open, and returns its first error. A second Close does nothing.
func (l *Lookup) Close() error { return l.at.Close() }
