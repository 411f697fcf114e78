package sql

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
)

// State is the position at which a query continues. It contains no copies of rows.
type State struct {
	ResumeAfter []byte // the position after which the source must start; nil: at its beginning

	partialDocuments []partialDocument // documents of which pages returned only some rows, most recent last
	innerResumeAfter []byte            // ResumeAfter, for rows of the subquery in under
	offset           int64             // rows still to be skipped
	remaining        int64             // rows still to be returned; -1: all
	last             [16]byte

	hasCursor      bool        // for a query that collects: the last row of the previous page
	cursorKeys     []doc.Value // empty: they were too long, so offset is the number of rows that pages have passed
	cursorPosition []byte
	cursorRow      int
	cursorPassed   int64 // number of rows up to the cursor
}

// partialDocument is a document within which a page ended: its position, and the number of rows returned.
type partialDocument struct {
	at   []byte
	rows int
}

// maxPartialDocuments is the maximum number of partial documents in a state. There are several only if documents were
// inserted between those in which pages ended.
const maxPartialDocuments = 4

// Collected reports whether the query read all documents for its pages and sorted them, regardless of the source's
// order.
func (s *State) Collected() bool { return s.hasCursor }

// ErrState is the error of ParseState for malformed input.
var ErrState = errors.New("the state of a query is malformed")

const (
	stateVersion  = 2
	maxSortKeys   = 64
	keyUndefined  = 0
	keyJSON       = 1
	keyNotFinite  = 2
	lengthOfFloat = 8
)

// Append appends the serialized state. It is not protected against forgery: a forged state makes a query return other
// rows of the same source, and nothing else.
func (s *State) Append(dst []byte) []byte {
	dst = append(dst, stateVersion)
	for _, b := range [][]byte{s.ResumeAfter, s.innerResumeAfter, s.cursorPosition} {
		dst = appendBytes(dst, b)
	}
	for _, n := range []int64{s.offset, s.remaining, int64(s.cursorRow), s.cursorPassed} {
		dst = binary.AppendVarint(dst, n)
	}
	dst = append(dst, byte(len(s.partialDocuments)))
	for _, p := range s.partialDocuments {
		dst = binary.AppendVarint(appendBytes(dst, p.at), int64(p.rows))
	}
	dst = append(dst, s.last[:]...)
	if !s.hasCursor {
		return dst
	}
	dst = append(dst, byte(len(s.cursorKeys)))
	for _, key := range s.cursorKeys {
		dst = appendKey(dst, key)
	}
	return dst
}

// appendBytes distinguishes nil from empty.
func appendBytes(dst, b []byte) []byte {
	if b == nil {
		return append(dst, 0)
	}
	return append(binary.AppendUvarint(dst, uint64(len(b))+1), b...)
}

func appendKey(dst []byte, v doc.Value) []byte {
	switch {
	case !v.Defined():
		return append(dst, keyUndefined)
	case v.Kind() == doc.Numeric && !finite(v):
		return binary.BigEndian.AppendUint64(append(dst, keyNotFinite), math.Float64bits(v.Float()))
	}
	return appendBytes(append(dst, keyJSON), doc.Append(nil, v))
}

// ParseState parses a state that Append has serialized. Errors: ErrState.
func ParseState(text []byte) (*State, error) {
	if len(text) == 0 || text[0] != stateVersion {
		return nil, ErrState
	}
	r := &stateReader{rest: text[1:]}
	s := &State{}
	for _, b := range []*[]byte{&s.ResumeAfter, &s.innerResumeAfter, &s.cursorPosition} {
		*b = r.bytes()
	}
	s.offset, s.remaining, s.cursorRow = r.number(0, math.MaxUint32), r.number(-1, math.MaxUint32),
		int(r.number(0, math.MaxInt32))
	s.cursorPassed = r.number(0, math.MaxUint32)
	for range min(r.byte(), maxPartialDocuments) {
		s.partialDocuments = append(s.partialDocuments, partialDocument{r.bytes(), int(r.number(0, math.MaxInt32))})
	}
	copy(s.last[:], r.take(uint64(len(s.last))))
	if !r.failed && len(r.rest) > 0 {
		s.hasCursor = true
		for range min(r.byte(), maxSortKeys) {
			s.cursorKeys = append(s.cursorKeys, r.key())
		}
	}
	if r.failed || len(r.rest) > 0 {
		return nil, ErrState
	}
	return s, nil
}

type stateReader struct {
	rest   []byte
	failed bool
}

func (r *stateReader) take(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.failed = true
		r.rest = nil
		return nil
	}
	taken := r.rest[:n:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *stateReader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *stateReader) bytes() []byte {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.failed = true
		return nil
	}
	r.rest = r.rest[size:]
	if n == 0 {
		return nil
	}
	return r.take(n - 1)
}

func (r *stateReader) number(least, most int64) int64 {
	n, size := binary.Varint(r.rest)
	if size <= 0 || n < least || n > most {
		r.failed = true
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *stateReader) key() doc.Value {
	switch r.byte() {
	case keyUndefined:
		return doc.Value{}
	case keyNotFinite:
		if b := r.take(lengthOfFloat); b != nil {
			return doc.Number(math.Float64frombits(binary.BigEndian.Uint64(b)))
		}
		return doc.Value{}
	case keyJSON:
		v, err := doc.Parse(r.bytes())
		r.failed = r.failed || err != nil
		return v
	}
	r.failed = true
	return doc.Value{}
}
