// Package jsonread reads one JSON document from memory, token by token, without reflection and without building a tree.
//
// It exists because an emulator spends most of its time here: a request's strings are unescaped straight into the form
// in which they are stored, which a general tokenizer, which returns each token as a value of its own, cannot do. The
// grammar is RFC 8259, strictly: no comments, no trailing commas, no leading zeros, valid UTF-8 only (a lone surrogate
// escape becomes U+FFFD, as in the services). Nothing here recurses, so no depth of nesting can exhaust a stack;
// callers that recurse must limit the depth.
package jsonread

import (
	"errors"
	"unicode/utf8"

	"github.com/tabletop-db/tabletop/emulator/internal/chunked"
)

// ErrSyntax is the error of every malformed document. It has no position, as in the services.
var ErrSyntax = errors.New("malformed JSON")

// Kind is the first character of a JSON value: '{', '[', '"', 't', 'f', 'n', '0' for any number, or 0 if there is no
// value.
type Kind byte

// Reader reads a document from front to back. The zero Reader reads an empty document.
type Reader struct {
	buf []byte
	pos int
	esc []byte // the last object key that had escapes
}

// New returns a Reader of doc, which must not change while it is read. Errors: ErrSyntax if doc is not UTF-8.
func New(doc []byte) (Reader, error) {
	if !utf8.Valid(doc) {
		return Reader{}, ErrSyntax
	}
	return Reader{buf: doc}, nil
}

// Kind returns the kind of the next value, without reading it.
func (r *Reader) Kind() Kind {
	switch c := r.peek(); c {
	case '{', '[', '"', 't', 'f', 'n':
		return Kind(c)
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return '0'
	}
	return 0
}

// Object reads an object and calls member for each key, in order; member reads the value after it. The key is valid
// until the next token is read.
func (r *Reader) Object(member func(key []byte) error) error {
	if !r.take('{') {
		return ErrSyntax
	}
	if r.take('}') {
		return nil
	}
	for {
		key, err := r.key()
		if err != nil {
			return err
		}
		if err := member(key); err != nil {
			return err
		}
		if r.take(',') {
			continue
		}
		if r.take('}') {
			return nil
		}
		return ErrSyntax
	}
}

// Array reads an array and calls element before each element, which it reads.
func (r *Reader) Array(element func() error) error {
	if !r.take('[') {
		return ErrSyntax
	}
	if r.take(']') {
		return nil
	}
	for {
		if err := element(); err != nil {
			return err
		}
		if r.take(',') {
			continue
		}
		if r.take(']') {
			return nil
		}
		return ErrSyntax
	}
}

// Bool reads true or false.
func (r *Reader) Bool() (bool, error) {
	switch r.peek() {
	case 't':
		return true, r.literal("true")
	case 'f':
		return false, r.literal("false")
	}
	return false, ErrSyntax
}

// Null reads null.
func (r *Reader) Null() error { return r.literal("null") }

// Number reads a number and returns its text, which is part of the document.
func (r *Reader) Number() ([]byte, error) {
	if r.Kind() != '0' {
		return nil, ErrSyntax
	}
	start := r.pos
	r.accept("-")
	if !r.accept("0") && !r.digits() {
		return nil, ErrSyntax
	}
	if r.accept(".") && !r.digits() {
		return nil, ErrSyntax
	}
	if r.accept("eE") {
		r.accept("+-")
		if !r.digits() {
			return nil, ErrSyntax
		}
	}
	return r.buf[start:r.pos], nil
}

// String reads a string.
func (r *Reader) String() (string, error) {
	raw, plain, err := r.rawString()
	if err != nil {
		return "", err
	}
	if plain {
		return string(raw), nil
	}
	text, err := appendUnescaped(make([]byte, 0, len(raw)), raw)
	return string(text), err
}

// AppendString reads a string and appends its text to dst.
func (r *Reader) AppendString(dst []byte) ([]byte, error) {
	raw, plain, err := r.rawString()
	if err != nil {
		return dst, err
	}
	if plain {
		return chunked.Append(dst, raw), nil
	}
	return appendUnescaped(dst, raw)
}

// End returns ErrSyntax unless only white space is left.
func (r *Reader) End() error {
	if r.peek() != 0 || r.pos < len(r.buf) {
		return ErrSyntax
	}
	return nil
}

// Rest returns the number of bytes that are not read yet: an upper bound of what is still to come.
func (r *Reader) Rest() int { return len(r.buf) - r.pos }

func (r *Reader) key() ([]byte, error) {
	raw, plain, err := r.rawString()
	if err != nil {
		return nil, err
	}
	if !plain {
		if raw, err = appendUnescaped(r.esc[:0], raw); err != nil {
			return nil, err
		}
		r.esc = raw
	}
	if !r.take(':') {
		return nil, ErrSyntax
	}
	return raw, nil
}

// peek skips white space and returns the next byte, or 0 at the end.
func (r *Reader) peek() byte {
	for r.pos < len(r.buf) {
		switch c := r.buf[r.pos]; c {
		case ' ', '\t', '\n', '\r':
			r.pos++
		default:
			return c
		}
	}
	return 0
}

func (r *Reader) take(c byte) bool {
	if r.peek() != c {
		return false
	}
	r.pos++
	return true
}

func (r *Reader) literal(word string) error {
	r.peek()
	if len(r.buf)-r.pos < len(word) || string(r.buf[r.pos:r.pos+len(word)]) != word {
		return ErrSyntax
	}
	r.pos += len(word)
	return nil
}

// accept reads one byte if it is one of set.
func (r *Reader) accept(set string) bool {
	if r.pos < len(r.buf) {
		for i := range len(set) {
			if r.buf[r.pos] == set[i] {
				r.pos++
				return true
			}
		}
	}
	return false
}

// digits reads one digit or more.
func (r *Reader) digits() bool {
	start := r.pos
	for r.pos < len(r.buf) && r.buf[r.pos]-'0' <= 9 {
		r.pos++
	}
	return r.pos > start
}
