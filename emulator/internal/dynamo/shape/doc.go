// Package shape decodes control-plane requests into Go structs and reports their errors in the service's words.
//
// A struct declares a shape. Its fields are the members, with their names on the wire, in the order in which the
// service reports their errors. Its Go name, without a final Input, is the name of the service's Java class, which some
// messages contain. A member may be missing, so its type is a pointer (*string, *bool, *int64 for a Long, *int32 for an
// Integer, *float64 for a time in seconds since 1970, *[Double], *T for a structure) or a slice ([]string, []T). null
// counts as missing, and unknown members are ignored. The tag "check" lists the constraints of a member, separated by
// commas, in the order in which they are reported:
//
//	notnull      it must be there
//	enum=A|B     one of these
//	name         the characters of table and index names
//	print        printable ASCII characters, at least one
//	text         characters that XML allows
//	bucket       the pattern of buckets; also account, delimiter and header (of CSV), token (of a client), and
//	             hexadecimal (the token of a page)
//	minlen=3     characters of a string, elements of a list
//	maxlen=255
//	maxelements=8  like maxlen; the message names the member without the path to it
//	min=1        the value of a number
//	max=100
//	eachminlen=1 a constraint on each element of a list
//
// [Read] reports wrong JSON types and [Check] violated constraints: the service checks all types before any constraint.
// Both use reflection, which is fast enough for the control plane. Item requests, which arrive in tens of thousands per
// second, have decoders of their own.
package shape
