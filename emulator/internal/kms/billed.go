package kms

// Billed returns the number of keys that AWS bills: customer managed keys that are not pending deletion, one for each,
// and one more for each of the first two rotations.
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
