package store

import "errors"

// ErrLocked reports a value that is sealed by a key that is not available or may not be used.
var ErrLocked = errors.New("the value is sealed by a table key that cannot be opened")

// Sealer encrypts some values of the store with keys that are not in it. It must be safe for concurrent use.
type Sealer interface {
	// Seal appends to dst what to store under key for value. sealed is false if value is to be stored as it is.
	Seal(dst, key, value []byte) (stored []byte, sealed bool, err error)
	// Open appends to dst the value of what is stored under key. sealed is false if stored is the value itself. Errors:
	// ErrLocked without its key.
	Open(dst, key, stored []byte) (value []byte, sealed bool, err error)
}

// SetSealer sets the sealer of all values from now on; nil removes it. If there may be concurrent updates whose values
// the new sealer seals differently, call it in an update that is alone in their gate; the writes of that update itself
// still use the old sealer. The new sealer must be able to open what is stored already.
func (s *Store) SetSealer(sealer Sealer) {
	if sealer == nil {
		s.sealer.Store(nil)
		return
	}
	s.sealer.Store(&sealer)
}

// seal returns what to store for a value.
func (tx *Tx) seal(key, value []byte) ([]byte, error) {
	if tx.sealer == nil {
		return value, nil
	}
	stored, sealed, err := (*tx.sealer).Seal(tx.sealed[:0], key, value)
	if err != nil || !sealed {
		return value, err
	}
	tx.sealed = stored
	return stored, nil
}

// unseal returns the value of what is stored. A nil sealer means none.
func unseal(sealer *Sealer, dst, key, stored []byte) ([]byte, error) {
	if sealer == nil {
		return stored, nil
	}
	value, sealed, err := (*sealer).Open(dst, key, stored)
	if err != nil || !sealed {
		return stored, err
	}
	return value, nil
}
