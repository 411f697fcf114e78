package cloudwatch

// Billed returns the number of alarms, which AWS bills by the month.
func (s *Service) Billed() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.alarms)
}
