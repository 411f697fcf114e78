package store

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/batchrepr"
)

// rows caches what Pebble's Get returns for keys that were read lately: a copy from it takes 0.1 µs, a lookup in
// memtables, indexes and blocks 3 µs. It is never behind or ahead of Pebble: what a commit writes is held from before
// the commit until after it, in whole stripes, and from a held stripe nothing is read.
//
// Only reads add keys, so that a fill of a table does not push out what is read. A commit replaces the values of those
// keys that are in the cache. Values are as stored, sealed ones too.
type rows struct {
	stripes [rowStripes]rowStripe
}

const (
	rowStripes = 64 // bits of a stripeSet
	// stripeBytes is the memory of a stripe's queue; that of all is 16 MB. It is taken only when data is read.
	stripeBytes  = 256 << 10
	firstStripe  = 4 << 10
	maxRow       = stripeBytes / 16 // larger rows are not cached: to copy them takes longer than to find them
	rowAlignment = 64               // so that a new value mostly fits where the old one was
)

// rowStripe holds a part of the keys. Its queue is a ring of rows, which the garbage collector need not look into. New
// rows take the place of the oldest.
type rowStripe struct {
	mu      sync.Mutex
	places  map[uint64]uint32 // by hash of the key
	queue   []byte
	head    int    // where the next row goes
	tail    int    // the oldest row
	end     int    // of the rows from tail, if wrapped
	wrapped bool   // the rows are [tail, end) and then [0, head); otherwise [tail, head)
	held    int    // commits in progress that write keys of the stripe
	holds   uint64 // how often a commit has held it
}

// A row is its header and then key, value and padding.
type rowHeader struct {
	hash       uint64
	key, value int // lengths
	size       int // of the whole row
}

const rowHeaderBytes = 8 + 3*4

func (p *rowStripe) header(at int) rowHeader {
	b := p.queue[at : at+rowHeaderBytes]
	return rowHeader{binary.LittleEndian.Uint64(b), int(binary.LittleEndian.Uint32(b[8:])),
		int(binary.LittleEndian.Uint32(b[12:])), int(binary.LittleEndian.Uint32(b[16:]))}
}

func (p *rowStripe) write(at int, h rowHeader, key, value []byte) {
	b := p.queue[at : at+h.size]
	binary.LittleEndian.PutUint64(b, h.hash)
	binary.LittleEndian.PutUint32(b[8:], uint32(h.key))
	binary.LittleEndian.PutUint32(b[12:], uint32(h.value))
	binary.LittleEndian.PutUint32(b[16:], uint32(h.size))
	copy(b[rowHeaderBytes:], key)
	copy(b[rowHeaderBytes+len(key):], value)
}

// find returns the value of a key. p.mu must be held; the value changes when it is not.
func (p *rowStripe) find(hash uint64, key []byte) (value []byte, ok bool) {
	at, ok := p.places[hash]
	if !ok {
		return nil, false
	}
	h := p.header(int(at))
	b := p.queue[at+rowHeaderBytes:]
	if !bytes.Equal(b[:h.key], key) {
		return nil, false
	}
	return b[h.key : h.key+h.value], true
}

// put adds or replaces a row. p.mu must be held.
func (p *rowStripe) put(hash uint64, key, value []byte) {
	size := (rowHeaderBytes + len(key) + len(value) + rowAlignment - 1) &^ (rowAlignment - 1)
	if size > maxRow {
		delete(p.places, hash)
		return
	}
	if place, ok := p.places[hash]; ok {
		if had := p.header(int(place)).size; had >= size && had < size+4*rowAlignment {
			p.write(int(place), rowHeader{hash, len(key), len(value), had}, key, value)
			return
		}
	}
	if p.places == nil {
		p.places = map[uint64]uint32{}
	}
	at := p.room(size)
	p.write(at, rowHeader{hash, len(key), len(value), size}, key, value)
	p.places[hash] = uint32(at)
}

// room makes room for a row at the head of the queue and returns its place.
func (p *rowStripe) room(size int) int {
	for !p.fits(size) {
		switch {
		case p.wrapped:
			p.removeOldest()
		case len(p.queue) < stripeBytes:
			p.queue = append(p.queue, make([]byte, max(len(p.queue), firstStripe))...)
		default:
			p.wrapped, p.end, p.head = true, p.head, 0
		}
	}
	at := p.head
	p.head += size
	return at
}

func (p *rowStripe) fits(size int) bool {
	if p.wrapped {
		return p.head+size <= p.tail
	}
	return p.head+size <= len(p.queue)
}

func (p *rowStripe) removeOldest() {
	h := p.header(p.tail)
	if place, ok := p.places[h.hash]; ok && int(place) == p.tail {
		delete(p.places, h.hash)
	}
	if p.tail += h.size; p.tail == p.end {
		p.tail, p.wrapped = 0, false
	}
}

// removeRange removes the keys in [lo, hi). p.mu must be held.
func (p *rowStripe) removeRange(lo, hi []byte) {
	for hash, at := range p.places {
		h := p.header(int(at))
		key := p.queue[at+rowHeaderBytes:][:h.key]
		if bytes.Compare(lo, key) <= 0 && bytes.Compare(key, hi) < 0 {
			delete(p.places, hash)
		}
	}
}

func (p *rowStripe) clear() {
	clear(p.places)
	p.head, p.tail, p.wrapped = 0, 0, false
}

// A rowTicket lets a value that was not in the cache enter it.
type rowTicket struct {
	hash  uint64
	holds uint64
	valid bool
}

func (r *rows) stripe(hash uint64) *rowStripe { return &r.stripes[hash%rowStripes] }

// get appends the value of a key to buf. If the key is not in the cache, the ticket is for fill.
func (r *rows) get(hash uint64, key, buf []byte) (value []byte, ok bool, ticket rowTicket) {
	p := r.stripe(hash)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held > 0 {
		return nil, false, rowTicket{}
	}
	if value, ok := p.find(hash, key); ok {
		return append(buf, value...), true, rowTicket{}
	}
	return nil, false, rowTicket{hash, p.holds, true}
}

// fill adds what was read from the database after get returned the ticket, unless a commit may have changed it since.
func (r *rows) fill(ticket rowTicket, key, value []byte) {
	if !ticket.valid {
		return
	}
	p := r.stripe(ticket.hash)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.holds == ticket.holds {
		p.put(ticket.hash, key, value)
	}
}

// A stripeSet has a bit for each stripe.
type stripeSet uint64

const allStripes = ^stripeSet(0)

// each calls visit for each stripe of the set, with its lock.
func (r *rows) each(set stripeSet, visit func(*rowStripe)) {
	for ; set != 0; set &= set - 1 {
		p := &r.stripes[bits.TrailingZeros64(uint64(set))]
		p.mu.Lock()
		visit(p)
		p.mu.Unlock()
	}
}

// A rowHold is what a commit writes, which is held.
type rowHold struct {
	writes batchrepr.Reader
	set    stripeSet
	known  bool // whether it writes only single keys and removes ranges
}

// hold is called before the commit of a batch, and release after it.
func (r *rows) hold(writes batchrepr.Reader) rowHold {
	h := rowHold{writes: writes}
	h.set, h.known = writtenStripes(writes)
	r.each(h.set, func(p *rowStripe) {
		p.held++
		p.holds++
	})
	return h
}

// writtenStripes returns the stripes of the keys that a commit writes. known is false if it writes in a way that the
// cache cannot follow.
func writtenStripes(all batchrepr.Reader) (set stripeSet, known bool) {
	for {
		kind, key, _, ok, err := all.Next()
		switch {
		case err != nil:
			return allStripes, false
		case !ok:
			return set, true
		case kind == pebble.InternalKeyKindSet, kind == pebble.InternalKeyKindDelete:
			set |= 1 << (xxhash.Sum64(key) % rowStripes)
		case kind == pebble.InternalKeyKindRangeDelete:
			set = allStripes
		default:
			return allStripes, false
		}
	}
}

// release ends a hold. committed is false if the commit failed.
func (r *rows) release(h rowHold, committed bool) {
	if h.known {
		r.update(h.writes, committed)
	} else {
		r.each(h.set, (*rowStripe).clear)
	}
	r.each(h.set, func(p *rowStripe) { p.held-- })
}

// update replaces the values of those keys of a commit that are in the cache, and removes the ranges of keys that it
// removes.
func (r *rows) update(all batchrepr.Reader, committed bool) {
	for {
		kind, key, value, ok, _ := all.Next()
		switch {
		case !ok:
			return
		case kind == pebble.InternalKeyKindRangeDelete:
			r.each(allStripes, func(p *rowStripe) { p.removeRange(key, value) })
		default:
			r.replace(key, value, kind == pebble.InternalKeyKindSet && committed)
		}
	}
}

// replace replaces the value of a key that is in the cache, or removes the key if the value is not known to be valid.
func (r *rows) replace(key, value []byte, valid bool) {
	hash := xxhash.Sum64(key)
	p := r.stripe(hash)
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, cached := p.find(hash, key); !cached {
		return
	}
	// another commit that holds the stripe may write the same key, before this one or after it
	if valid && p.held == 1 {
		p.put(hash, key, value)
	} else {
		delete(p.places, hash)
	}
}
