// Package shape reads the requests of the control plane into Go structs and says what is wrong with them, in the
// service's words.
//
// A struct is the declaration of a shape: its fields are the members, under their names on the wire, in the order in
// which the service complains of them; its Go name, without a final Input, is the name of the service's Java class,
// which some messages contain. A member may be absent, so it is a pointer (*string, *bool, *int64 for a Long, *int32
// for an Integer, *float64 for a time in seconds since 1970, *T for a structure) or a slice ([]string, []T). null is
// absent, and unknown members are ignored. The tag "check" holds the constraints of a member, separated by commas, in
// the order in which they are told:
//
//	notnull      it must be there
//	enum=A|B     one of these
//	name         the characters of table and index names
//	minlen=3     characters of a string, elements of a list
//	maxlen=255
//	min=1        the value of a number
//	max=100
//
// [Read] finds wrong JSON types and [Check] broken constraints: the service does all of the one before any of the
// other. Both use reflection, which the control plane can afford. The requests for items, which come by the ten
// thousand a second, are read by code written for them.
package shape
