package autoscaling

import (
	"fmt"
	"slices"
	"time"
)

// putScheduledActionInput is the input of PutScheduledAction. Missing members of an existing action stay, except for
// the times of its start and its end.
type putScheduledActionInput struct {
	ref
	ScheduledActionName  *string
	Schedule             *string
	Timezone             *string
	StartTime            *float64 // seconds since 1970
	EndTime              *float64
	ScalableTargetAction *scalableTargetAction
}

// scalableTargetAction is the range that a scheduled action gives its target.
type scalableTargetAction struct {
	MinCapacity *int64 `json:",omitempty"`
	MaxCapacity *int64 `json:",omitempty"`
}

// scheduledAction is a scheduled action of a target.
type scheduledAction struct {
	Name     string
	Schedule string
	Timezone string   // empty: UTC
	Start    *float64 // seconds since 1970
	End      *float64
	Action   scalableTargetAction
	Created  float64
	Next     float64 // when it runs next; 0: never
}

func (in *putScheduledActionInput) check(v *violations) {
	in.ref.check(v)
	v.required("scheduledActionName", in.ScheduledActionName, 256)
	if name := in.ScheduledActionName; name != nil && *name != "" {
		v.Matches("scheduledActionName", *name, validActionName, actionName)
	}
	v.text("schedule", in.Schedule, maxText)
	v.text("timezone", in.Timezone, maxText)
}

// maxActions is the quota of scheduled actions of a target.
const maxActions = 200

// putScheduledAction creates a scheduled action, or changes one.
func putScheduledAction(c *call, in *putScheduledActionInput) (any, error) {
	t, err := c.existing(in.ref, "registered")
	if err != nil {
		return nil, err
	}
	next := t.clone()
	at := next.actionNamed(*in.ScheduledActionName)
	if at < 0 {
		at = len(next.Actions)
		next.Actions = append(next.Actions, scheduledAction{Name: *in.ScheduledActionName,
			Created: seconds(c.clock.Now())})
	}
	if at == maxActions { // the text is ours
		return nil, serviceError("LimitExceededException", "A scalable target has at most 200 scheduled actions.")
	}
	action := &next.Actions[at]
	if err := in.apply(action); err != nil {
		return nil, err
	}
	if action.Next, err = action.nextAfter(c.clock.Now()); err != nil {
		return nil, err
	}
	return empty{}, c.saveTarget(next)
}

// actionNamed returns the position of an action, -1 if there is none of that name.
func (t *target) actionNamed(name string) int {
	return slices.IndexFunc(t.Actions, func(a scheduledAction) bool { return a.Name == name })
}

// apply changes an action as the request says.
func (in *putScheduledActionInput) apply(a *scheduledAction) error {
	set(&a.Action, in.ScalableTargetAction)
	set(&a.Schedule, in.Schedule)
	set(&a.Timezone, in.Timezone)
	a.Start, a.End = in.StartTime, in.EndTime
	switch {
	case a.Action == scalableTargetAction{} && in.ScalableTargetAction == nil:
		return invalid("ScalableTargetAction must be set")
	case a.Action == scalableTargetAction{}:
		return invalid("At least one of minimum capacity and maximum capacity should be provided")
	case a.Schedule == "": // the text is ours
		return invalid("Schedule must be set")
	case outside(a.Start), outside(a.End): // the text is ours
		return invalid("StartTime and EndTime must be in the years 1970 to %d", lastYear)
	case a.Start != nil && a.End != nil && *a.Start >= *a.End:
		return invalid("StartTime must be before EndTime")
	}
	return checkRange(a.Action.MinCapacity, a.Action.MaxCapacity)
}

// outside reports whether a time, in seconds since 1970, is one at which nothing can run.
func outside(at *float64) bool {
	return at != nil && !(*at >= 0 && *at < float64(time.Date(lastYear+1, 1, 1, 0, 0, 0, 0, time.UTC).Unix()))
}

// nextAfter returns when the action runs next after a time, in seconds since 1970; 0 means never. A rate counts from
// the action's start or, without one, from a period before its first run.
func (a *scheduledAction) nextAfter(after time.Time) (float64, error) {
	anchor := timeOf(a.Created)
	if a.Start != nil {
		anchor = timeOf(*a.Start)
		if before := anchor.Add(-time.Millisecond); after.Before(before) {
			after = before
		}
	}
	next, err := parseSchedule(a.Schedule, a.Timezone, anchor)
	if err != nil {
		return 0, err
	}
	at, some := next(after)
	if !some || !at.After(after) || a.End != nil && seconds(at) > *a.End { // a run in the past would repeat for ever
		return 0, nil
	}
	return seconds(at), nil
}

// runActions runs the scheduled actions that are due. An action that was missed while no process ran, runs once.
func (s *Service) runActions() {
	now := seconds(s.clock.Now())
	s.mu.RLock()
	var due []key
	for k, t := range s.targets {
		if slices.ContainsFunc(t.Actions, func(a scheduledAction) bool { return a.Next != 0 && a.Next <= now }) {
			due = append(due, k)
		}
	}
	s.mu.RUnlock()
	for _, k := range sorted(due) {
		if err := safely(func() error { return s.runActionsOf(s.find(k), now) }); err != nil {
			s.log.Error("a scheduled action failed", "resource", k.resource, "dimension", k.dimension, "error", err)
			s.postponeActions(k)
		}
	}
}

// runActionsOf runs the actions of a target that are due.
func (s *Service) runActionsOf(t *target, now float64) error {
	next := t.clone()
	var done []*activity
	for i := range next.Actions {
		a := &next.Actions[i]
		if a.Next == 0 || a.Next > now {
			continue
		}
		a.Next, _ = a.nextAfter(s.clock.Now()) // it was parsed when it was put
		if !t.Suspended.ScheduledScalingSuspended {
			done = append(done, s.applyAction(next, a))
		}
	}
	next.Adjust = next.Adjust || len(done) > 0
	if err := s.saveTarget(next); err != nil {
		return err
	}
	for _, a := range done {
		if err := s.saveActivity(a); err != nil {
			return err
		}
	}
	s.wake(next.key())
	return nil
}

// applyAction gives a target the range of an action, and returns the activity.
func (s *Service) applyAction(t *target, action *scheduledAction) *activity {
	least, most, what := t.Min, t.Max, ""
	if action.Action.MinCapacity != nil {
		least, what = *action.Action.MinCapacity, fmt.Sprintf("min capacity to %d", *action.Action.MinCapacity)
	}
	if action.Action.MaxCapacity != nil {
		if most = *action.Action.MaxCapacity; what != "" {
			what += " and "
		}
		what += fmt.Sprintf("max capacity to %d", most)
	}
	a := s.newActivity(t, "Setting "+what, "scheduled action name "+action.Name+" was triggered")
	if err := checkRange(&least, &most); err != nil { // the text is ours
		return a.ended(a.StartTime, failed, "Failed to set "+what+". Reason: "+err.(*Error).Message)
	}
	t.Min, t.Max = least, most
	a.StatusCode, a.StatusMessage = successful, "Successfully set "+what
	return a
}

// postponeActions has the timer run the due actions of a target again later, after they failed.
func (s *Service) postponeActions(k key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.targets[k]
	if t == nil {
		return
	}
	now, later := seconds(s.clock.Now()), seconds(s.clock.Now().Add(failedInterval))
	next := t.clone()
	for i := range next.Actions {
		if a := &next.Actions[i]; a.Next != 0 && a.Next <= now {
			a.Next = later
		}
	}
	s.targets[k] = next
}
