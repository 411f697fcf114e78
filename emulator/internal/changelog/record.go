package changelog

import (
	"encoding/binary"
	"errors"
)

// Kind is the kind of a change.
type Kind byte

// The kinds of changes.
const (
	Insert Kind = iota + 1
	Modify
	Remove
)

// Record is one change.
type Record struct {
	Kind Kind
	// ByService means that the service itself made the change, such as the deletion of an expired item.
	ByService bool
	// Key identifies the item. Old and New are the images before and after; nil if there was no item, or the image is
	// not needed.
	Key, Old, New []byte
	// Author is who made the change, as AppendAuthor writes it; empty: not known, as in older records.
	Author []byte
}

// The first byte of a stored record is its kind and these flags. The key follows with its length, the author with its
// length, then the images; the old image has its length if both are there, and the last one takes the rest.
const (
	kindMask  = 0x03
	byService = 0x04
	hasOld    = 0x08
	hasNew    = 0x10
	hasAuthor = 0x20
)

// AppendAuthor appends who made a change and with which operation, for Record.Author.
func AppendAuthor(dst []byte, user, operation string) []byte {
	dst = append(binary.AppendUvarint(dst, uint64(len(user))), user...)
	return append(dst, operation...)
}

// ReadAuthor returns who made a change and with which operation; both are empty if they are not known.
func ReadAuthor(author []byte) (user, operation string) {
	first, rest, err := readPart(author)
	if err != nil {
		return "", ""
	}
	return string(first), string(rest)
}

func (r *Record) append(dst []byte) []byte {
	head := byte(r.Kind)
	if r.ByService {
		head |= byService
	}
	if r.Old != nil {
		head |= hasOld
	}
	if r.New != nil {
		head |= hasNew
	}
	if len(r.Author) > 0 {
		head |= hasAuthor
	}
	dst = appendPart(append(dst, head), r.Key)
	if len(r.Author) > 0 {
		dst = appendPart(dst, r.Author)
	}
	if r.Old != nil && r.New != nil {
		dst = appendPart(dst, r.Old)
	} else {
		dst = append(dst, r.Old...)
	}
	return append(dst, r.New...)
}

func appendPart(dst, part []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(part))), part...)
}

var errRecord = errors.New("a record of the change log cannot be read")

// decode decodes a stored record. The result shares its bytes.
func decode(value []byte) (r Record, err error) {
	if len(value) == 0 || value[0]&kindMask == 0 || value[0] >= hasAuthor<<1 {
		return r, errRecord
	}
	head := value[0]
	r.Kind, r.ByService = Kind(head&kindMask), head&byService != 0
	rest := value[1:]
	if r.Key, rest, err = readPart(rest); err != nil {
		return r, err
	}
	if head&hasAuthor != 0 {
		if r.Author, rest, err = readPart(rest); err != nil {
			return r, err
		}
	}
	switch head & (hasOld | hasNew) {
	case hasOld | hasNew:
		r.Old, r.New, err = readPart(rest)
	case hasOld:
		r.Old = rest
	case hasNew:
		r.New = rest
	default:
		if len(rest) > 0 {
			err = errRecord
		}
	}
	return r, err
}

func readPart(value []byte) (part, rest []byte, err error) {
	n, width := binary.Uvarint(value)
	if width <= 0 || n > uint64(len(value)-width) {
		return nil, nil, errRecord
	}
	end := width + int(n)
	return value[width:end:end], value[end:], nil
}
