package kms

// Billed is how many keys there are as AWS bills them: those of customers that do not wait for their deletion, one for
// each, and one more for each of its first two rotations.
func (s *Service) Billed() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := 0
	for _, a := range s.accounts {
		for _, k := range a.keys {
			if k.Manager == customer && k.State != pendingDeletion {
				n += min(max(len(k.Materials), 1), 3)
			}
		}
	}
	return n
}
