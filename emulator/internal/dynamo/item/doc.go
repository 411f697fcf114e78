// Package item holds DynamoDB's attribute values: their stored form, their JSON, their sizes, their
// order and their arithmetic. It knows neither requests nor the store.
//
// # The stored form
//
// A value is parsed once, from the request's JSON straight into the bytes that are stored, and written
// once, from these bytes straight into the answer. A whole item is a Map value.
//
//	value     = tag payload
//	S, N, B   = tag uvarint(length) bytes          N as canonical decimal text, B decoded
//	BOOL,NULL = tag                                true and false have a tag each
//	L         = tag uint32(length) value…
//	M         = tag uint32(length) (uvarint(length) name value)…   by name, each name once
//	SS,NS,BS  = tag uint32(length) (uvarint(length) member)…       in the order given, each once
//
// Lengths count bytes, so that whatever is not asked for is passed over in one step. The uint32 is
// little endian. Numbers are canonical (no exponent, no superfluous zero or sign), so that equal numbers
// have equal bytes.
package item
