package autoscaling

import (
	"context"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/panics"
)

// failedInterval is after how long what failed or panicked is tried again.
const failedInterval = time.Minute

// reschedule sets the timer for what is due next.
func (s *Service) reschedule() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.schedule(time.Time{})
}

// schedule sets the timer for what is due next, but not before earliest. s.mu must be held.
func (s *Service) schedule(earliest time.Time) {
	if s.cancel != nil {
		s.cancel()
		s.cancel = nil
	}
	due, some := s.due()
	if !some || s.closed {
		return
	}
	if due.Before(earliest) {
		due = earliest
	}
	s.cancel = s.clock.At(due, s.onTimer)
}

// due returns when the timer has something to do next. s.mu must be held.
func (s *Service) due() (due time.Time, some bool) {
	add := func(t time.Time) {
		if !some || t.Before(due) {
			due, some = t, true
		}
	}
	if len(s.woken) > 0 {
		add(s.clock.Now())
	}
	if !s.recheck.IsZero() {
		add(s.recheck)
	}
	for _, t := range s.retries {
		add(t)
	}
	for _, t := range s.targets {
		for _, action := range t.Actions {
			if action.Next != 0 {
				add(timeOf(action.Next))
			}
		}
	}
	return due, some
}

// onTimer does what is due. The timer calls it.
func (s *Service) onTimer() {
	ctx := context.Background()
	if s.running.Enter(ctx) != nil {
		return
	}
	defer s.running.Leave()
	if s.changes.Close(ctx) != nil {
		return
	}
	defer s.changes.Open()
	defer s.reschedule()
	s.checkActivities(ctx)
	s.runActions()
	s.tendTargets(ctx)
}

// safely runs a part of the timer's work. A panic is returned as an error, so that the rest of the work is done.
func safely(run func() error) error { return panics.AsError("it", run) }

// checkActivities looks whether changes of capacity have ended.
func (s *Service) checkActivities(ctx context.Context) {
	s.mu.Lock()
	all := s.activities
	due := !s.recheck.IsZero() && !s.recheck.After(s.clock.Now())
	if due {
		s.recheck = time.Time{}
	}
	s.mu.Unlock()
	if !due {
		return
	}
	for _, a := range all {
		if !a.inProgress() {
			continue
		}
		if err := safely(func() error { return s.checkActivity(ctx, a) }); err != nil {
			s.log.Error("a scaling activity could not be checked", "resource", a.ResourceId, "error", err)
			s.mu.Lock()
			s.recheck = s.clock.Now().Add(failedInterval)
			s.mu.Unlock()
		}
	}
}

// tendTargets looks after the targets that changed, or whose alarms did, and those that are due again.
func (s *Service) tendTargets(ctx context.Context) {
	for _, k := range s.takeWoken() {
		var again time.Time
		err := safely(func() (err error) {
			again, err = s.tend(ctx, k)
			return err
		})
		if err != nil {
			s.log.Error("a table could not be scaled", "resource", k.resource, "dimension", k.dimension, "error", err)
			again = s.clock.Now().Add(failedInterval)
		}
		if !again.IsZero() {
			s.mu.Lock()
			s.retries[k] = again
			s.mu.Unlock()
		}
	}
}

// tend brings the capacity of a target into its range, and runs its policy. It returns when to look again; zero means
// after a change.
func (s *Service) tend(ctx context.Context, k key) (again time.Time, err error) {
	if t := s.find(k); t != nil && t.Adjust {
		if again, err = s.adjust(ctx, t); err != nil || !again.IsZero() {
			return again, err
		}
	}
	return s.track(ctx, s.find(k))
}

// takeWoken returns the targets that are due.
func (s *Service) takeWoken() (all []key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now()
	for k, t := range s.retries {
		if !t.After(now) {
			s.woken[k] = true
		}
	}
	for k := range s.woken {
		all = append(all, k)
		delete(s.retries, k)
	}
	clear(s.woken)
	return sorted(all)
}
