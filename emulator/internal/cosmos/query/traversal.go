package query

import (
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/continuation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/operation"
	"github.com/tabletop-db/tabletop/emulator/internal/cosmos/wire"
)

// traversal is a query on its way over its scopes, a page at a time.
type traversal struct {
	pages   *continuation.Codec
	of      continuation.Token // the query, without parts
	left    []piece            // the first is the one that next gave
	last    doc.EPK            // where the piece that next gave begins
	begun   bool
	stopped bool
}

// piece is a scope, or what is left of one, and the state of the query in it; empty where it has not begun.
type piece struct {
	scope
	state []byte
}

// newTraversal begins a query, or goes on where the request's continuation says.
//
//	for p := t.next(); p != nil; p = t.next() {
//		// read p from p.state; if the page is full and p is not: t.stop(state); if p gave rows: t.pause()
//	}
//
// Then token is the continuation of the next page.
func newTraversal(r *operation.Run, spec *QuerySpec, token string, scopes []scope) (*traversal, *wire.Error) {
	t := &traversal{pages: r.Account.Pages, of: continuation.Token{Owner: r.Container.RID, Query: spec.fingerprint()}}
	return t, t.resume(token, scopes)
}

// resume sets what is left of the scopes behind a continuation; all without one.
func (t *traversal) resume(token string, scopes []scope) *wire.Error {
	if token == "" {
		for _, s := range scopes {
			t.left = append(t.left, piece{scope: s})
		}
		return nil
	}
	given, err := t.pages.Decode(token)
	if err != nil || !given.SameQuery(&t.of) || len(given.Pending) == 0 {
		return wire.InvalidContinuation()
	}
	if t.left = piecesWithin(given, scopes); len(t.left) == 0 {
		return wire.InvalidContinuation() // of another part of the container
	}
	return nil
}

// piecesWithin returns what of the scopes is still to be read. A scope that several pending parts reach into is read
// part by part.
func piecesWithin(given *continuation.Token, scopes []scope) []piece {
	all := given.Pending
	rest := doc.EPKRange{Low: all[len(all)-1].High, High: doc.MaxEPK()}
	parts := append(all[:len(all):len(all)], continuation.Part{EPKRange: rest})
	left := []piece{}
	for _, s := range scopes {
		for _, p := range parts {
			if some := s.cut(p.EPKRange); len(some.parts) > 0 {
				left = append(left, piece{some, slices.Clone(p.State)}) // which its reader may write into
			}
		}
	}
	return left
}

// cut returns the part of a scope within a range.
func (s *scope) cut(within doc.EPKRange) scope {
	some := scope{partition: s.partition}
	for _, p := range s.parts {
		if part := doc.Meet(p, within); !part.Empty() {
			some.parts = append(some.parts, part)
		}
	}
	return some
}

// next is what to read now; nil where there is nothing, or where the page was stopped.
func (t *traversal) next() *piece {
	if t.stopped {
		return nil
	}
	if t.begun {
		t.left = t.left[1:]
	}
	t.begun = true
	if len(t.left) == 0 {
		return nil
	}
	t.last = t.left[0].partition.Low
	return &t.left[0]
}

// stop ends the page within the piece that next gave, to go on from a state.
func (t *traversal) stop(state []byte) {
	t.left[0].state = state
	t.stopped = true
}

// pause ends the page behind the piece that next gave: what it has is read, the others are for the next page.
func (t *traversal) pause() {
	t.left, t.stopped = t.left[1:], true
}

// at is an effective partition key of the partition that was read last.
func (t *traversal) at() doc.EPK { return t.last }

// token is the continuation of the next page; empty where nothing is left.
func (t *traversal) token() string {
	if len(t.left) == 0 || !t.stopped {
		return ""
	}
	ct := t.of
	for i, p := range t.left {
		if i > 0 && len(p.state) == 0 {
			break // all that follows has not begun
		}
		if len(p.parts) == 0 {
			p.parts = []doc.EPKRange{p.partition.EPKRange}
		}
		within := doc.EPKRange{Low: p.parts[0].Low, High: p.parts[len(p.parts)-1].High}
		ct.Pending = append(ct.Pending, continuation.Part{EPKRange: within, State: p.state})
	}
	return t.pages.Encode(&ct)
}
