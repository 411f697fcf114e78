package traffic

import (
	"github.com/tabletop-db/tabletop/loadtest/profile"
)

// mix returns the parts of a profile in turn so that each gets its share as evenly as possible, without randomness. In
// each turn every part gains its weight, and the part with the most credit is chosen and pays the sum. (This is nginx's
// smooth weighted round robin.)
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

// next returns the number of the next part.
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
