package autoscaling

import (
	"context"
	"fmt"
	"time"
)

// capacity returns the capacity of a target's resource. ok is false if it cannot be scaled: it does not exist, or is on
// demand.
func (s *Service) capacity(ctx context.Context, t *target) (units int64, c Capacity, ok bool, err error) {
	r := t.resource()
	c, ok, err = s.tables.Capacity(ctx, t.Account, r.table, r.index)
	units = r.of(c)
	return units, c, ok && units > 0, err
}

// adjust brings the capacity of a target's resource into the target's range, and returns when to look again; zero means
// that it is done. changes must be closed.
func (s *Service) adjust(ctx context.Context, t *target) (again time.Time, err error) {
	units, c, ok, err := s.capacity(ctx, t)
	switch {
	case err != nil:
		return time.Time{}, err
	case ok && c.Changing:
		return s.clock.Now().Add(lookInterval), nil
	case ok && units < t.Min:
		_, err = s.setCapacity(ctx, t, c, t.Min, fmt.Sprintf("minimum capacity was set to %d", t.Min), false)
	case ok && units > t.Max:
		_, err = s.setCapacity(ctx, t, c, t.Max, fmt.Sprintf("maximum capacity was set to %d", t.Max), false)
	}
	if err != nil {
		return time.Time{}, err
	}
	next := s.find(t.key()).clone()
	next.Adjust = false
	return time.Time{}, s.saveTarget(next)
}

// setCapacity changes the capacity of a target's resource from c, and records the activity. ok is false if DynamoDB
// refuses the change. Errors: of the store. changes must be closed.
func (s *Service) setCapacity(ctx context.Context, t *target, c Capacity, to int64, cause string,
	byPolicy bool) (ok bool, err error) {
	r := t.resource()
	a := s.newActivity(t, fmt.Sprintf("Setting %s to %d.", r.units(), to), cause)
	a.From, a.To, a.ByPolicy = r.of(c), to, byPolicy
	reads, writes := to, c.Writes
	if r.write {
		reads, writes = c.Reads, to
	}
	if err := s.tables.SetCapacity(ctx, t.Account, r.table, r.index, reads, writes); err != nil {
		s.log.Info("the capacity of a table was not scaled", "resource", t.Resource, "to", to, "error", err)
		return false, s.saveActivity(a.ended(seconds(s.clock.Now()), failed,
			fmt.Sprintf("Failed to set %s to %d. Reason: %v", r.units(), to, err)))
	}
	a.StatusMessage = fmt.Sprintf("Successfully set %s to %d. Waiting for change to be fulfilled by dynamodb.",
		r.units(), to)
	if err := s.saveActivity(a); err != nil {
		return false, err
	}
	return true, s.checkActivity(ctx, a)
}

// recheckInterval is how often activities in progress are checked.
const recheckInterval = time.Second

// checkActivity ends an activity in progress if its resource is ACTIVE or cannot be scaled any more, and has the timer
// check it again otherwise. changes must be closed.
func (s *Service) checkActivity(ctx context.Context, a *activity) error {
	t := &target{Account: a.Account, Resource: a.ResourceId, Dimension: a.ScalableDimension}
	units, c, ok, err := s.capacity(ctx, t)
	switch at := seconds(s.clock.Now()); {
	case err != nil:
		return err
	case ok && c.Changing:
		s.mu.Lock()
		defer s.mu.Unlock()
		s.recheck = s.clock.Now().Add(recheckInterval)
		return nil
	case !ok || units != a.To: // as recorded of another service, 2026-09-17
		return s.saveActivity(a.ended(at, "Overridden", fmt.Sprintf(
			"Successfully set %s to %d. Found it was later changed to %d.", t.resource().units(), a.To, units)))
	default:
		if err := s.saveActivity(a.ended(at, successful, fmt.Sprintf(
			"Successfully set %s to %d. Change successfully fulfilled by dynamodb.", t.resource().units(), a.To))); err != nil {
			return err
		}
		return s.capacityChanged(s.find(t.key()), a, at)
	}
}

// capacityChanged begins the cooldown of a target's policy after an activity, and replaces its alarms by those for the
// new capacity. changes must be closed.
func (s *Service) capacityChanged(t *target, a *activity, at float64) error {
	if t == nil || t.Policy == nil {
		return nil
	}
	next := t.clone()
	switch {
	case a.ByPolicy && a.To > a.From:
		next.Policy.LastOut = at
	case a.ByPolicy:
		next.Policy.LastIn = at
	}
	return s.replaceAlarms(next, a.To)
}
