package expr

import "iter"

// CheckFilter refuses a filter of a Query that asks for an attribute of the key which the Query reads by;
// what names the filter: "Filter Expression" or QueryFilter.
func (c *Condition) CheckFilter(what string, schema KeySchema) error {
	for _, a := range schema.attributes() {
		for p := range c.paths {
			if p.Attribute() == a.Name {
				return errorf("%s can only contain non-primary key attributes: Primary key attribute: %s", what, a.Name)
			}
		}
	}
	return nil
}

// CheckScalar refuses paths that lead into an attribute which is a key, and so a scalar; what says of what:
// Key (of the table) or IndexKey.
func CheckScalar(paths iter.Seq[Path], what, attribute string) error {
	for p := range paths {
		if len(p) > 1 && p.Attribute() == attribute {
			return errorf("Key attributes must be scalars; list random access '[]' and map lookup '.' are not "+
				"allowed: %s: %s", what, attribute)
		}
	}
	return nil
}
