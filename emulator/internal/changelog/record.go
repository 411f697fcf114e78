package changelog

import (
	"encoding/binary"
	"errors"
)

// Kind is what a change does to an item.
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
	// ByService says that the service made the change by itself, such as the removal of an item whose time had come.
	ByService bool
	// Key says which item was changed. Old and New are what it was and is; nil where there was none, or nobody needs
	// it.
	Key, Old, New []byte
}

// The first byte of a stored record is its kind and these. Key and, where there are both images, the old one follow
// with their lengths before them; the last image takes the rest.
const (
	kindMask  = 0x03
	byService = 0x04
	hasOld    = 0x08
	hasNew    = 0x10
)

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
	dst = appendPart(append(dst, head), r.Key)
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

// decode reads a stored record, whose bytes it shares.
func decode(value []byte) (r Record, err error) {
	if len(value) == 0 || value[0]&kindMask == 0 || value[0] >= hasNew<<1 {
		return r, errRecord
	}
	head := value[0]
	r.Kind, r.ByService = Kind(head&kindMask), head&byService != 0
	rest := value[1:]
	if r.Key, rest, err = takePart(rest); err != nil {
		return r, err
	}
	switch head & (hasOld | hasNew) {
	case hasOld | hasNew:
		r.Old, r.New, err = takePart(rest)
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

func takePart(value []byte) (part, rest []byte, err error) {
	n, width := binary.Uvarint(value)
	if width <= 0 || n > uint64(len(value)-width) {
		return nil, nil, errRecord
	}
	end := width + int(n)
	return value[width:end:end], value[end:], nil
}
