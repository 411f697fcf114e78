package wire

import (
	"strings"
	"sync/atomic"
)

// slotLength is the number of bytes of a slot, and of the digits that replace it.
const slotLength = 10

// Kinds of slots with a meaning of their own. Any other capital letter is a random number below its limit.
const (
	Unused    = 'U' // a number that no request has had before, in scattered order
	Scattered = 'X' // a random one of the first numbers that Unused would give, below its limit
)

// Slot returns the text that a Template replaces with ten digits in each request. kind is a capital letter.
func Slot(kind rune) string { return "@" + strings.Repeat(string(kind), slotLength-1) }

// Scatter maps numbers one to one to others, so that successive keys are not in key order.
func Scatter(n uint32) uint32 { return n * 2654435761 }

// Template is a request in wire format with slots.
type Template struct {
	text  []byte
	slots []slotAt
}

type slotAt struct {
	offset int
	kind   byte
}

// NewTemplate finds the slots of a request.
func NewTemplate(request []byte) Template {
	t := Template{text: request}
	for i, c := range request {
		if c == '@' && i+slotLength <= len(request) && string(request[i:i+slotLength]) == Slot(rune(request[i+1])) {
			t.slots = append(t.slots, slotAt{i, request[i+1]})
		}
	}
	return t
}

// Generator makes the requests of one connection. It overwrites the slots of its own copies of the templates.
type Generator struct {
	templates []Template
	limits    map[byte]uint32
	unused    *atomic.Uint32
	state     uint64
}

// NewGenerator returns a generator of random ones of the templates. limits are the exclusive upper limits of random
// numbers by kind of slot; unused counts the numbers of Unused slots.
func NewGenerator(templates []Template, limits map[byte]uint32, unused *atomic.Uint32, seed uint64) *Generator {
	g := &Generator{limits: limits, unused: unused, state: (seed+1)*0x9E3779B97F4A7C15 | 1}
	for _, t := range templates {
		if len(t.slots) > 0 {
			t.text = append([]byte(nil), t.text...)
		}
		g.templates = append(g.templates, t)
	}
	return g
}

// Request returns the next request. It is valid until the next call.
func (g *Generator) Request() []byte {
	t := &g.templates[g.random(uint32(len(g.templates)))]
	for _, s := range t.slots {
		v := g.value(s.kind)
		for i := s.offset + slotLength - 1; i >= s.offset; i-- {
			t.text[i] = '0' + byte(v%10)
			v /= 10
		}
	}
	return t.text
}

func (g *Generator) value(kind byte) uint32 {
	switch kind {
	case Unused:
		return Scatter(g.unused.Add(1))
	case Scattered:
		return Scatter(g.random(g.limits[kind]))
	default:
		return g.random(g.limits[kind])
	}
}

// random returns a number below n, by xorshift: math/rand would cost more of the client's time.
func (g *Generator) random(n uint32) uint32 {
	g.state ^= g.state << 13
	g.state ^= g.state >> 7
	g.state ^= g.state << 17
	return uint32((g.state >> 32) * uint64(n) >> 32)
}
