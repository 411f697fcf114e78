package lag

import "github.com/tabletop-db/tabletop/emulator/internal/store"

// Lookup reads keys of a View one by one: see [store.Lookup].
type Lookup struct {
	store.Lookup
	moment Moment
}

// Lookup returns a Lookup, which must be closed.
func (v *View) Lookup() Lookup { return Lookup{v.reader.Lookup(), v.moment} }

// Get returns the value of a key, which must not be changed and is valid until the next call, and whether the key
// exists.
func (l *Lookup) Get(key []byte) (value []byte, ok bool, err error) {
	value, ok, err = l.Lookup.Get(key)
	return l.moment.show(key, value, ok, err)
}
