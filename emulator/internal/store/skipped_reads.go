package store

import (
	"errors"
	"slices"
	"sync"
)

// maxSkippedReads is how many reads in a row a check or a salvage may skip. In a table that cannot be read over a long
// stretch, it tries about 17 places: the two ends, and those of salvageProbes.
const maxSkippedReads = 32

// skippedReads are the reads that the disk has not answered and a check or a salvage continues without. Its methods are
// safe for concurrent use; nil has none.
type skippedReads struct {
	mu    sync.Mutex
	spans []span
	inRow int // since the last read that was answered
}

// span is a part of a file.
type span struct {
	name     string
	from, to int64 // bytes
}

// within reports whether a part of a file includes a skipped one: the disk would not answer a read of it either.
func (s *skippedReads) within(part span) bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.spans, func(skipped span) bool {
		return skipped.name == part.name && part.from <= skipped.from && skipped.to <= part.to
	})
}

// add notes the end of a read, and reports whether it is skipped.
func (s *skippedReads) add(part span, err error) bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !errors.Is(err, errNotAnswered) {
		s.inRow = 0
		return false
	}
	s.spans = append(s.spans, part)
	s.inRow++
	return s.inRow <= maxSkippedReads
}
