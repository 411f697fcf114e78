package expr

// CheckFilter returns an error for a filter of a Query that uses attributes of the key by which the Query reads. what
// is the filter's name in the message: "Filter Expression" or QueryFilter.
func (c *Condition) CheckFilter(filterName string, schema *KeySchema) error {
	for _, a := range schema.attributes() {
		for p := range c.paths {
			if p.Attribute() == a.Name {
				return errorf("%s can only contain non-primary key attributes: Primary key attribute: %s", filterName, a.Name)
			}
		}
	}
	return nil
}

// CheckScalar returns an error for paths that lead into a key attribute, which is a scalar. keyKind is the kind of key
// in the message: Key (of the table) or IndexKey.
func CheckScalar(paths []Path, keyKind, attribute string) error {
	for _, p := range paths {
		if len(p) > 1 && p.Attribute() == attribute {
			return errorf("Key attributes must be scalars; list random access '[]' and map lookup '.' are not "+
				"allowed: %s: %s", keyKind, attribute)
		}
	}
	return nil
}
