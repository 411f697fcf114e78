package dynamo

// chargeWrite charges the caller for a change, in the table and in each index that it changed, in the change's own
// transaction: with an error nothing is written. What the service does by itself has no caller and costs nothing.
func (c *change) chargeWrite() error {
	if c.by == nil {
		return nil
	}
	c.by.note(c.table, nil, true, c.units.table*c.factor())
	for _, x := range c.units.indexes {
		c.by.note(c.table, x.index, true, x.units)
	}
	return nil
}

// factor is what units of the table count in a transaction, which looks at each item twice, and elsewhere.
func (c *change) factor() float64 {
	if c.transacted {
		return 2
	}
	return 1
}

// chargeRead charges the caller for what was read of a table, or of an index of it, at a key or from one on. With an error
// the answer is withheld.
func (a *caller) chargeRead(t *table, x *index, units float64, _ []byte) error {
	if units > 0 {
		a.note(t, x, false, units)
	}
	return nil
}
