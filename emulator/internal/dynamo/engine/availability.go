package engine

// availability is whether the items of a table can be read and written. Items of a table that is encrypted by a KMS key
// are unavailable while the key cannot be used.
type availability interface {
	// Err returns the error for item requests, nil while the items are available.
	Err() error
	// Unavailable reports whether item requests fail.
	Unavailable() bool
	// Locked reports whether nobody can read the items, the service itself included.
	Locked() bool
}

// CheckAvailable returns the error for item requests while the table's items are unavailable, nil otherwise.
func (t *Table) CheckAvailable() error {
	if t.Availability == nil {
		return nil
	}
	return t.Availability.Err()
}

// unavailable reports whether the table's items are unavailable.
func (t *Table) unavailable() bool { return t.Availability != nil && t.Availability.Unavailable() }

// locked reports whether nobody can read the table's items, the service itself included.
func (t *Table) locked() bool { return t.Availability != nil && t.Availability.Locked() }
