package query

import (
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/continuation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// traversal runs a query over its scopes, page by page.
type traversal struct {
	pages   *continuation.Codec
	token   continuation.Token // identifies the query; has no parts
	pieces  []piece            // the first is the one that next returned
	last    doc.EPK            // the low end of the piece that next returned
	begun   bool
	stopped bool
}

// piece is a scope, or the rest of one, with the state of the query in it; the state is empty at the start of the
// scope.
type piece struct {
	scope
	state []byte
}

// newTraversal starts a query, or continues it after the request's continuation.
//
//	for p := t.next(); p != nil; p = t.next() {
//		// read p from p.state; if the page is full but p is not complete: t.stop(state); if p returned rows: t.pause()
//	}
//
// After that, token returns the continuation of the next page.
func newTraversal(r *operation.Run, spec *QuerySpec, token string, scopes []scope) (*traversal, *wire.Error) {
	t := &traversal{pages: r.Account.Continuations, token: continuation.Token{Owner: r.Container.RID,
		Query: spec.fingerprint()}}
	return t, t.resume(token, scopes)
}

// resume sets the pieces that are left after a continuation; without one, all scopes.
func (t *traversal) resume(token string, scopes []scope) *wire.Error {
	if token == "" {
		for _, s := range scopes {
			t.pieces = append(t.pieces, piece{scope: s})
		}
		return nil
	}
	given, err := t.pages.Decode(token)
	if err != nil || !given.SameQuery(&t.token) || len(given.Pending) == 0 {
		return wire.InvalidContinuation()
	}
	if t.pieces = piecesWithin(given, scopes); len(t.pieces) == 0 {
		return wire.InvalidContinuation() // the continuation is of another part of the container
	}
	return nil
}

// piecesWithin returns the pieces of the scopes that are still to be read. A scope that several pending parts overlap
// becomes several pieces.
func piecesWithin(given *continuation.Token, scopes []scope) []piece {
	all := given.Pending
	rest := doc.EPKRange{Low: all[len(all)-1].High, High: doc.MaxEPK()}
	parts := append(all[:len(all):len(all)], continuation.Part{EPKRange: rest})
	left := []piece{}
	for _, s := range scopes {
		for _, p := range parts {
			if some := s.intersect(p.EPKRange); len(some.parts) > 0 {
				left = append(left, piece{some, slices.Clone(p.State)}) // the reader may overwrite the state
			}
		}
	}
	return left
}

// intersect returns the intersection of a scope and a range.
func (s *scope) intersect(within doc.EPKRange) scope {
	intersection := scope{partition: s.partition, shared: s.shared}
	for _, p := range s.parts {
		if part := doc.Intersect(p, within); !part.Empty() {
			intersection.parts = append(intersection.parts, part)
		}
	}
	return intersection
}

// next returns the next piece to read, or nil if there is none or the page has ended.
func (t *traversal) next() *piece {
	if t.stopped {
		return nil
	}
	if t.begun {
		t.pieces = t.pieces[1:]
	}
	t.begun = true
	if len(t.pieces) == 0 {
		return nil
	}
	t.last = t.pieces[0].partition.Low
	return &t.pieces[0]
}

// stop ends the page within the current piece, at a state.
func (t *traversal) stop(state []byte) {
	t.pieces[0].state = state
	t.stopped = true
}

// pause ends the page after the current piece.
func (t *traversal) pause() {
	t.pieces, t.stopped = t.pieces[1:], true
}

// lastEPK returns an effective partition key of the partition that was read last.
func (t *traversal) lastEPK() doc.EPK { return t.last }

// continuation returns the continuation of the next page; empty if nothing is left.
func (t *traversal) continuation() string {
	if len(t.pieces) == 0 || !t.stopped {
		return ""
	}
	ct := t.token
	for i, p := range t.pieces {
		if i > 0 && len(p.state) == 0 {
			break // the pieces that follow have not begun
		}
		if len(p.parts) == 0 {
			p.parts = []doc.EPKRange{p.partition.EPKRange}
		}
		within := doc.EPKRange{Low: p.parts[0].Low, High: p.parts[len(p.parts)-1].High}
		ct.Pending = append(ct.Pending, continuation.Part{EPKRange: within, State: p.state})
	}
	return t.pages.Encode(&ct)
}
