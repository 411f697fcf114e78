package engine

// availability is whether the items of a table can be read and written: those of a table that is encrypted by a
// customer's key cannot while the key cannot be used.
type availability interface {
	// Err is what requests for the items are answered; nil while they are served.
	Err() error
	// Refused reports whether they are refused.
	Refused() bool
	// Locked reports whether nobody can read the items, the service itself included.
	Locked() bool
}

// Available is the error of requests for the items of a table that cannot be read and written now.
func (t *Table) Available() error {
	if t.Availability == nil {
		return nil
	}
	return t.Availability.Err()
}

// refused reports whether the items of a table cannot be read and written now.
func (t *Table) refused() bool { return t.Availability != nil && t.Availability.Refused() }

// locked reports whether nobody can read the items of a table now.
func (t *Table) locked() bool { return t.Availability != nil && t.Availability.Locked() }
