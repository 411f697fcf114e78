// Package item implements DynamoDB's attribute values: their stored form, JSON, sizes, order and arithmetic. It knows
// neither requests nor the store.
//
// # The stored form
//
// A value is decoded once, from the request's JSON directly into the stored bytes, and encoded once, from these bytes
// directly into the response. An item is a Map value.
//
//	value     = tag payload
//	S, N, B   = tag uvarint(length) bytes          N as canonical decimal text, B decoded
//	BOOL,NULL = tag                                true and false have a tag each
//	L         = tag uint32(length) value…
//	M         = tag uint32(length) (uvarint(length) name value)…   by name, each name once
//	SS,NS,BS  = tag uint32(length) (uvarint(length) member)…       sorted, each once
//	item      = M, or tag uint32(size) (uvarint(length) name value)…   after KeepSize
//
// Lengths count bytes, so that a value can be skipped in one step. The uint32 is little-endian. Numbers are canonical
// (no exponent, no superfluous zeros or signs), so that equal numbers have equal bytes.
//
// An item that a request writes has its size by the service's rule in its header: each read charges for it, and to
// count it takes a Scan almost as long as everything else (BenchmarkSize). Items of older folders, up to format 3, and
// their copies have no size and are counted when they are read. A new rule for sizes needs a new tag. Sets of folders
// older than November 2026 are in the order in which they were sent, and are sorted when they are read.
package item
