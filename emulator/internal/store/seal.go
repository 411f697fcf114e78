package store

import "errors"

// ErrLocked is of a value that is sealed by a key which is not at hand, or may not be used.
var ErrLocked = errors.New("the value is sealed by a table key that cannot be opened")

// Sealer keeps some values encrypted in the store, by keys that do not lie in it. Its methods are called by many at
// once.
type Sealer interface {
	// Seal appends to dst what is stored under key in the place of value; sealed is false where value is stored as it
	// is.
	Seal(dst, key, value []byte) (stored []byte, sealed bool, err error)
	// Open appends to dst the value of what is stored under key; sealed is false where that is the value itself.
	// Without its key the error is ErrLocked.
	Open(dst, key, stored []byte) (value []byte, sealed bool, err error)
}

// SetSealer has all values pass the sealer from now on, nil being none. Where updates may be under way whose values are
// to be sealed otherwise than before, it is called in one that is alone in their gate; what that one writes itself does
// not pass yet. What was stored before has to be opened by the new sealer too.
func (s *Store) SetSealer(sealer Sealer) {
	if sealer == nil {
		s.sealer.Store(nil)
		return
	}
	s.sealer.Store(&sealer)
}

// seal is what is stored of a value.
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

// opened is the value of what is stored. A nil sealer stands for none.
func opened(sealer *Sealer, dst, key, stored []byte) ([]byte, error) {
	if sealer == nil {
		return stored, nil
	}
	value, sealed, err := (*sealer).Open(dst, key, stored)
	if err != nil || !sealed {
		return stored, err
	}
	return value, nil
}
