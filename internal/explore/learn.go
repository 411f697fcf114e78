package explore

import "slices"

// target is what is known of a target.
type target struct {
	Target
	kinds []Kind
	count int // the most requests of it in one run
}

// add adds kinds: of the requests of a target, perhaps only some read with eventual consistency.
func (t *target) add(kinds []Kind) {
	for _, k := range kinds {
		if !slices.Contains(t.kinds, k) {
			t.kinds = append(t.kinds, k)
		}
	}
	sortKinds(t.kinds)
}

// learn adds the requests of a run to what is known. A target that only a disturbed run reaches is tried at once,
// together with the mishaps that lead to it.
func (s *search) learn(p Plan, o *Outcome) {
	for _, r := range o.Requests {
		for _, table := range r.Tables {
			s.transacted[table] = s.transacted[table] || r.Transaction
		}
	}
	counts := map[Target]int{}
	for i := range o.Requests {
		r := &o.Requests[i]
		kinds := r.kinds(s.transacted)
		s.canHappen = s.canHappen || len(kinds) > 0
		if kinds = s.wanted(kinds); len(kinds) == 0 {
			continue
		}
		t, known := s.target(r.target())
		t.add(kinds)
		counts[t.Target]++
		t.count = max(t.count, counts[t.Target])
		if !known && len(p) > 0 && len(p) < maxMishaps {
			s.queueAfter(p, t)
		}
	}
}

// target returns what is known of a target, and whether anything was known before.
func (s *search) target(name Target) (t *target, known bool) {
	if t = s.seen[name]; t != nil {
		return t, true
	}
	t = &target{Target: name}
	s.seen[name] = t
	s.targets = append(s.targets, t)
	return t, false
}

// wanted leaves out the kinds that the settings do not name.
func (s *search) wanted(kinds []Kind) []Kind {
	return slices.DeleteFunc(kinds, func(k Kind) bool {
		if s.settings.Kinds == nil {
			return !k.isDefault()
		}
		return !slices.Contains(s.settings.Kinds, k)
	})
}

// queueAfter queues the mishaps of a target that is reached only after the mishaps of p.
func (s *search) queueAfter(p Plan, t *target) {
	for _, k := range t.kinds {
		s.queue = append(s.queue, append(slices.Clone(p), Mishap{t.Target, 1, k}))
	}
}
