package capacity

import "github.com/cespare/xxhash/v2"

// The sizes of a sketch: how many partition keys it tells apart, and how many bytes of one it keeps.
const (
	sketchKeys = 32
	sketchText = 160
)

// sketch finds the partition keys with the most units of a minute in bounded memory: of those it has no room for, the
// smallest makes way and leaves its weight, so that a key with more than 1/32 of all units is never missed (Metwally et
// al., "Efficient Computation of Frequent and Top-k Elements in Data Streams", 2005).
type sketch struct {
	n       int
	ids     [sketchKeys]uint64
	weights [sketchKeys]float64
	counts  [sketchKeys]keyCount
}

// keyCount is what was counted of a key since it has its place.
type keyCount struct {
	text      []byte
	units     [2]float64
	throttled uint32
}

func (s *sketch) add(c *Charge, op int) {
	if i := s.place(c); i >= 0 {
		s.weights[i] += c.Units
		s.counts[i].units[op] += c.Units
	}
}

func (s *sketch) throttle(c *Charge) {
	if i := s.place(c); i >= 0 {
		s.weights[i] += c.Units
		s.counts[i].throttled++
	}
}

func (s *sketch) takeBack(c *Charge, op int) {
	if i := s.place(c); i >= 0 {
		s.weights[i] -= c.Units
		s.counts[i].units[op] = max(0, s.counts[i].units[op]-c.Units)
	}
}

// place is where a charge's key is counted, -1 if it has none.
func (s *sketch) place(c *Charge) int {
	if c.Collection == 0 {
		return -1
	}
	id := xxhash.Sum64(c.Key[:c.Collection])
	for i, known := range s.ids[:s.n] {
		if known == id {
			return i
		}
	}
	i := s.n
	if i < sketchKeys {
		s.n++
		s.weights[i] = 0
	} else {
		i = s.lightest()
	}
	text := c.Key[:min(c.Collection, sketchText)]
	s.ids[i], s.counts[i] = id, keyCount{text: append(s.counts[i].text[:0], text...)}
	return i
}

func (s *sketch) lightest() int {
	at, least := 0, s.weights[0]
	for i, w := range &s.weights {
		if w < least {
			at, least = i, w
		}
	}
	return at
}
