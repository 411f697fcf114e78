package cosmos

import "slices"

import "github.com/tabletop-db/tabletop/emulator/internal/cosmos/doc"

// traversal is a query on its way over its scopes, a page at a time.
type traversal struct {
	service   *Service
	container string
	query     [8]byte
	left      []piece // the first is the one that next gave
	last      doc.EPK // where the piece that next gave begins
	begun     bool
	stopped   bool
}

// piece is a scope, or what is left of one, and the state of the query in it; empty where it has not begun.
type piece struct {
	scope
	state []byte
}

// traversal begins a query, or goes on where the request's continuation says.
//
//	for p := t.next(); p != nil; p = t.next() {
//		// read p from p.state; if the page is full and p is not: t.stop(state); if p gave rows: t.pause()
//	}
//
// Then token is the continuation of the next page.
func (c *call) traversal(spec *querySpec, scopes []scope) (*traversal, *Error) {
	t := &traversal{service: c.s, container: c.container.rid, query: spec.fingerprint()}
	return t, t.resume(c.head("X-Ms-Continuation"), scopes)
}

// resume sets what is left of the scopes behind a continuation; all without one.
func (t *traversal) resume(token string, scopes []scope) *Error {
	if token == "" {
		for _, s := range scopes {
			t.left = append(t.left, piece{scope: s})
		}
		return nil
	}
	ct, err := t.service.open(token)
	if err != nil {
		return err
	}
	if ct.container != t.container || ct.query != t.query || len(ct.pending) == 0 {
		return invalidContinuation()
	}
	if t.left = ct.within(scopes); len(t.left) == 0 {
		return invalidContinuation() // of another part of the container
	}
	return nil
}

// within is what of the scopes is still to be read. A scope that several pending parts reach into is read part by part.
func (ct *continuation) within(scopes []scope) []piece {
	behind := ct.pending[len(ct.pending)-1].high
	parts := append(ct.pending[:len(ct.pending):len(ct.pending)], pending{span: span{behind, everything().high}})
	left := []piece{}
	for _, s := range scopes {
		for _, p := range parts {
			if some := s.cut(p.span); len(some.parts) > 0 {
				left = append(left, piece{some, slices.Clone(p.state)}) // which its reader may write into
			}
		}
	}
	return left
}

// cut is the part of a scope within a span.
func (s *scope) cut(within span) scope {
	some := scope{partition: s.partition}
	for _, p := range s.parts {
		if part := meet(p, within); !part.empty() {
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
	t.last = t.left[0].partition.low
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
	ct := &continuation{container: t.container, query: t.query}
	for i, p := range t.left {
		if i > 0 && len(p.state) == 0 {
			break // all that follows has not begun
		}
		if len(p.parts) == 0 {
			p.parts = []span{{p.partition.low, p.partition.high}}
		}
		ct.pending = append(ct.pending, pending{span{p.parts[0].low, p.parts[len(p.parts)-1].high}, p.state})
	}
	return t.service.seal(ct)
}
