package autoscaling

import (
	"context"
	"math"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/metrics"
)

// How long a policy waits before it looks again: while its alarm is in ALARM and it has nothing to change yet, and
// after DynamoDB refused a change. The values are ours.
const (
	lookInterval    = time.Minute
	refusedInterval = 5 * time.Minute
)

// How many minutes decide about scaling out and in: those of the alarms.
const (
	outMinutes = 2
	inMinutes  = 15
)

// Wake has the timer run a policy, whose alarm changed its state, by the ARN in the alarm's action. It does not wait.
func (s *Service) Wake(account, policy string) {
	_, rest, _ := strings.Cut(policy, ":scalingPolicy:")
	id, _, _ := strings.Cut(rest, ":")
	s.mu.Lock()
	defer s.mu.Unlock()
	for k, t := range s.targets {
		if k.account == account && t.ID == id && t.Policy != nil {
			s.woken[k] = true
			s.schedule(time.Time{})
		}
	}
}

// track scales a target as its policy and the alarms say, and returns when to look again; zero means when an alarm
// changes. changes must be closed.
func (s *Service) track(ctx context.Context, t *target) (again time.Time, err error) {
	if t == nil || t.Policy == nil {
		return time.Time{}, nil
	}
	now := s.clock.Now()
	units, c, ok, err := s.capacity(ctx, t)
	names := t.Policy.Alarms
	on := func(name string) bool { return name != "" && s.alarms.InAlarm(t.Account, name) }
	switch {
	case err != nil || !ok:
		return time.Time{}, err
	case c.Changing:
		return now.Add(lookInterval), nil
	case units != t.Policy.Capacity && (on(names.ProvisionedHigh) || on(names.ProvisionedLow)):
		return time.Time{}, s.replaceAlarms(t.clone(), units)
	case on(names.High):
		return s.scaleOut(ctx, t, units, c)
	case on(names.Low):
		return s.scaleIn(ctx, t, units, c)
	}
	return time.Time{}, nil
}

// scaleOut adds capacity, if the consumption of the last minutes needs it and no cooldown is in effect.
func (s *Service) scaleOut(ctx context.Context, t *target, units int64, c Capacity) (again time.Time, err error) {
	now := s.clock.Now()
	wanted := min(s.needed(t, outMinutes), t.Max)
	switch end := cooldownEnd(t.Policy.LastOut, t.Policy.Config.ScaleOutCooldown); {
	case units >= t.Max || t.Suspended.DynamicScalingOutSuspended:
		return time.Time{}, nil
	case wanted <= units:
		return now.Add(lookInterval), nil
	case end.After(now):
		return end, nil
	}
	return s.scale(ctx, t, c, max(wanted, t.Min), t.Policy.Alarms.High)
}

// scaleIn removes capacity, if the consumption of the last minutes allows it and no cooldown is in effect.
func (s *Service) scaleIn(ctx context.Context, t *target, units int64, c Capacity) (again time.Time, err error) {
	now := s.clock.Now()
	wanted := max(s.needed(t, inMinutes), t.Min)
	switch end := cooldownEnd(t.Policy.LastIn, t.Policy.Config.ScaleInCooldown); {
	case units <= t.Min || t.Suspended.DynamicScalingInSuspended:
		return time.Time{}, nil
	case wanted >= units:
		return now.Add(lookInterval), nil
	case end.After(now):
		return end, nil
	}
	return s.scale(ctx, t, c, min(wanted, t.Max), t.Policy.Alarms.Low)
}

// scale changes the capacity because of an alarm.
func (s *Service) scale(ctx context.Context, t *target, c Capacity, to int64, alarm string) (again time.Time,
	err error) {
	cause := "monitor alarm " + alarm + " in state ALARM triggered policy " + t.Policy.Name
	ok, err := s.setCapacity(ctx, t, c, to, cause, true)
	if err == nil && !ok {
		again = s.clock.Now().Add(refusedInterval)
	}
	return again, err
}

// cooldownEnd returns the end of a cooldown that began at a time, in seconds since 1970; 0 means never. A cooldown
// blocks changes in its direction only. (The SDK's model.)
func cooldownEnd(began float64, cooldown *int) time.Time {
	if cooldown == nil {
		return time.Time{}
	}
	return timeOf(began).Add(time.Duration(*cooldown) * time.Second)
}

// needed returns the units per second at which the highest of the last minutes meets the target of a policy.
func (s *Service) needed(t *target, minutes int) int64 {
	r := t.resource()
	dimensions := []metrics.Dimension{{Name: "TableName", Value: r.table}}
	if r.index != "" {
		dimensions = append(dimensions, metrics.Dimension{Name: "GlobalSecondaryIndexName", Value: r.index})
	}
	id := metrics.NewID(t.Account, metrics.Namespace, "Consumed"+r.kind()+"CapacityUnits", dimensions...)
	end := s.clock.Now().Truncate(time.Minute)
	points, _ := s.metrics.Points(id, "", end.Add(-time.Duration(minutes)*time.Minute), end, time.Minute)
	var highest float64
	for _, p := range points {
		highest = max(highest, p.Sum)
	}
	const rounding = 1e-9 // 7 / 0.7 is 10
	return int64(math.Ceil(highest/60/(*t.Policy.Config.TargetValue/100) - rounding))
}
