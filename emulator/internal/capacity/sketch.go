package capacity

import "github.com/cespare/xxhash/v2"

// The sizes of a sketch: sketchSets sets of sketchWays keys each, and the first sketchText bytes of each key.
const (
	sketchSets = 16
	sketchWays = 4
	sketchText = 160
)

// sketch finds the partition keys with the most units in a minute, in bounded memory. Each key belongs to one of the
// sets. When a set is full, a new key replaces the lightest one and inherits its weight, so that a key with more than a
// quarter of its set's units, about 1/64 of all, is never missed (Metwally et al., "Efficient Computation of Frequent
// and Top-k Elements in Data Streams", 2005, in each set).
type sketch struct {
	ids     [sketchSets * sketchWays]uint64 // 0: free
	weights [sketchSets * sketchWays]float64
	counts  [sketchSets * sketchWays]keyCount
}

// keyCount is the counts of a key since it entered the sketch.
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

func (s *sketch) subtract(c *Charge, op int) {
	if i := s.place(c); i >= 0 {
		s.weights[i] = max(0, s.weights[i]-c.Units)
		s.counts[i].units[op] = max(0, s.counts[i].units[op]-c.Units)
	}
}

// place returns the position at which a charge's key is counted, -1 if it has no partition key.
func (s *sketch) place(c *Charge) int {
	if c.Collection == 0 {
		return -1
	}
	id := xxhash.Sum64(c.Key[:c.Collection]) | 1 // never 0, which means free
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

// clear removes all keys, and keeps their memory for reuse.
func (s *sketch) clear() {
	s.ids, s.weights = [sketchSets * sketchWays]uint64{}, [sketchSets * sketchWays]float64{}
}
