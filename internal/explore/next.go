package explore

import "slices"

// maxNth bounds how many requests of a target are disturbed one by one. The random plans disturb later ones too.
const maxNth = 5

// maxMishaps is the largest number of mishaps in a plan.
const maxMishaps = 3

// maxMisses is how many random plans of a group may have been tried before: with more, there is little left to try.
const maxMisses = 100

// next returns the next plans, at most n. Without any, everything has been tried.
func (s *search) next(n int) []Plan {
	var plans []Plan
	take := func(p Plan) (more bool) {
		if !s.tried[p.Text()] && !s.result.explains(p) {
			s.tried[p.Text()] = true
			plans = append(plans, p)
		}
		return len(plans) < n
	}
	for len(s.queue) > 0 && len(plans) < n {
		p := s.queue[0]
		s.queue = s.queue[1:]
		take(p)
	}
	if len(plans) < n {
		s.singles(take)
	}
	for misses := 0; len(plans) < n && misses < maxMisses; {
		before := len(plans)
		if take(s.random()); len(plans) == before {
			misses++
		}
	}
	return plans
}

// singles passes all plans of one mishap to take, until that returns false: for the first request of each target, then
// the second, and so on. A restart happens once to each target: after another request of it, it shows little more.
func (s *search) singles(take func(Plan) (more bool)) {
	for nth := 1; nth <= maxNth; nth++ {
		for rank := range Kinds() {
			for _, t := range s.targets {
				if rank >= len(t.kinds) || nth > t.count || nth > 1 && t.kinds[rank] == Restart {
					continue
				}
				if !take(Plan{{t.Target, nth, t.kinds[rank]}}) {
					return
				}
			}
		}
	}
}

// random returns a random plan of at most maxMishaps. One of a single mishap may disturb a request after those of
// singles. There is one restart at most: each cuts every request in progress, and a client that tries three times
// survives one.
func (s *search) random() Plan {
	var p Plan
	for range 1 + s.rng.IntN(maxMishaps) {
		t := s.targets[s.rng.IntN(len(s.targets))]
		m := Mishap{t.Target, 1 + s.rng.IntN(t.count), t.kinds[s.rng.IntN(len(t.kinds))]}
		if !slices.ContainsFunc(p, m.isNextTo) && !(m.Do == Restart && slices.ContainsFunc(p, m.sameKind)) {
			p = append(p, m)
		}
	}
	return p
}
