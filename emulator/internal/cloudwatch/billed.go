package cloudwatch

// Billed is how many alarms there are: what AWS bills by the month.
func (s *Service) Billed() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.alarms)
}
