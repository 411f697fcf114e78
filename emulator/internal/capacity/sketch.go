package capacity

import "github.com/cespare/xxhash/v2"

// The sizes of a sketch: it has sketchSets sets of sketchWays keys each, and keeps so many bytes of a key.
const (
	sketchSets = 16
	sketchWays = 4
	sketchText = 160
)

// sketch finds the partition keys with the most units of a minute in bounded memory. A key has its place in one of the
// sets; of those that a set has no room for, the lightest makes way and leaves its weight, so that a key with more than
// a quarter of its set's units, which is about 1/64 of all, is never missed (Metwally et al., "Efficient Computation of
// Frequent and Top-k Elements in Data Streams", 2005, in each set).
type sketch struct {
	ids     [sketchSets * sketchWays]uint64 // 0: a free place
	weights [sketchSets * sketchWays]float64
	counts  [sketchSets * sketchWays]keyCount
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
		s.weights[i] = max(0, s.weights[i]-c.Units)
		s.counts[i].units[op] = max(0, s.counts[i].units[op]-c.Units)
	}
}

// place is where a charge's key is counted, -1 if it has none.
func (s *sketch) place(c *Charge) int {
	if c.Collection == 0 {
		return -1
	}
	id := xxhash.Sum64(c.Key[:c.Collection]) | 1 // never that of a free place
	from := int(id>>32) % sketchSets * sketchWays
	lightest := from
	for i := from; i < from+sketchWays; i++ {
		if s.ids[i] == id {
			return i
		}
		if s.weights[i] < s.weights[lightest] {
			lightest = i
		}
	}
	s.ids[lightest] = id
	k := &s.counts[lightest]
	k.text = append(k.text[:0], c.Key[:min(c.Collection, sketchText)]...)
	k.units, k.throttled = [2]float64{}, 0
	return lightest
}

// clear forgets all keys, and keeps their memory.
func (s *sketch) clear() {
	s.ids, s.weights = [sketchSets * sketchWays]uint64{}, [sketchSets * sketchWays]float64{}
}
