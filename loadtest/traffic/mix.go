package traffic

import (
	"github.com/tabletop-db/tabletop/loadtest/profile"
)

// mix deals out the parts of a profile so that each gets its share as evenly as can be, without chance: each turn every
// part gains its weight, and the one that has most pays the sum. (Smooth weighted round robin, as nginx has it.)
type mix struct {
	parts  []profile.Part
	credit []int
	sum    int
}

func newMix(parts []profile.Part) *mix {
	m := &mix{parts: parts, credit: make([]int, len(parts))}
	for _, p := range parts {
		m.sum += p.Weight
	}
	return m
}

// next returns the number of the part whose turn it is.
func (m *mix) next() int {
	best := 0
	for i, p := range m.parts {
		m.credit[i] += p.Weight
		if m.credit[i] > m.credit[best] {
			best = i
		}
	}
	m.credit[best] -= m.sum
	return best
}
