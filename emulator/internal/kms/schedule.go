package kms

import "math"

// dueRetryInterval is the number of seconds after which a failed rotation or deletion is retried.
const dueRetryInterval = 60

// processDue performs the due rotations and deletions, and sets the timer for the next one: after dueRetryInterval at
// the earliest if one of them fails or panics. s.mu must be held.
func (s *Service) processDue() error {
	now := s.now()
	s.scheduleTimerAfter(now + dueRetryInterval)
	for _, a := range s.accounts {
		for _, k := range a.sortedKeys() {
			if err := a.processDueKey(k, now); err != nil {
				return err
			}
		}
	}
	s.scheduleTimer()
	return nil
}

func (a *account) processDueKey(k *key, now float64) error {
	if k.State == pendingDeletion && k.Deletion <= now {
		return a.dropKey(k)
	}
	if k.due() > now {
		return nil
	}
	next := k.clone()
	next.rotate(now)
	return a.saveKey(next)
}

// rotate performs all due rotations.
func (k *key) rotate(now float64) {
	for k.due() <= now {
		k.addMaterial(k.Next, "AUTOMATIC")
		k.Next = addDays(k.Next, k.Period)
	}
}

// due returns when the key is rotated or deleted next; infinity means never. A key that cannot be used is not rotated;
// it is rotated as soon as it can be used again.
func (k *key) due() float64 {
	switch {
	case k.State == pendingDeletion:
		return k.Deletion
	case k.State == enabled && k.Rotates:
		return k.Next
	}
	return math.Inf(1)
}

// scheduleTimer sets the timer for the first rotation or deletion. s.mu must be held.
func (s *Service) scheduleTimer() { s.scheduleTimerAfter(0) }

// scheduleTimerAfter is scheduleTimer with an earliest time, in seconds since 1970. s.mu must be held.
func (s *Service) scheduleTimerAfter(earliest float64) {
	if s.cancel != nil {
		s.cancel()
		s.cancel = nil
	}
	first := math.Inf(1)
	for _, a := range s.accounts {
		for _, k := range a.keys {
			first = min(first, k.due())
		}
	}
	if !math.IsInf(first, 1) {
		s.cancel = s.clock.At(timeOf(max(first, earliest)), s.onTimer)
	}
}

// onTimer is called by the timer.
func (s *Service) onTimer() {
	if err := s.lockAndProcessDue(); err != nil {
		s.log.Error("a key of KMS was not rotated or deleted in time", "error", err)
	}
	s.notify()
}

func (s *Service) lockAndProcessDue() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancel = nil
	return s.processDue()
}
