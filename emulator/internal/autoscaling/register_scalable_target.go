package autoscaling

import (
	"strings"
)

// registerScalableTargetInput is the input of RegisterScalableTarget. Missing members of an existing target stay.
type registerScalableTargetInput struct {
	ref
	MinCapacity    *int64
	MaxCapacity    *int64
	RoleARN        *string
	SuspendedState *suspendedStateInput
	Tags           map[string]string
}

type suspendedStateInput struct {
	DynamicScalingInSuspended  *bool
	DynamicScalingOutSuspended *bool
	ScheduledScalingSuspended  *bool
}

func (in *registerScalableTargetInput) check(v *violations) {
	in.ref.check(v)
	v.text("roleARN", in.RoleARN, maxText)
	v.tags(in.Tags)
}

type registerScalableTargetOutput struct{ ScalableTargetARN string }

// maxTargets is the quota of an account's scalable targets of DynamoDB.
const maxTargets = 5000

// registerScalableTarget registers a target, or changes one, and brings its capacity into the range. The service does
// the latter a little later.
func registerScalableTarget(c *call, in *registerScalableTargetInput) (any, error) {
	t, err := c.target(in.ref)
	if err != nil {
		return nil, err
	}
	if in.RoleARN != nil && strings.Count(*in.RoleARN, ":") < 5 {
		return nil, invalid("'%s' is not a valid ARN", *in.RoleARN)
	}
	next, err := in.apply(c, t)
	if err != nil {
		return nil, err
	}
	now, ok, err := c.tables.Capacity(c.ctx, next.Account, next.resource().table, next.resource().index)
	if err == nil && !ok && !c.internal {
		err = notThere(next.resource().index != "", next.Resource)
	}
	if err != nil {
		return nil, err
	}
	next.Adjust = !now.Changing // the capacity of a resource that is not ACTIVE stays (the SDK's model)
	if err := c.saveTarget(next); err != nil {
		return nil, err
	}
	c.wake(next.key())
	if next.Adjust {
		_, err = c.adjust(c.ctx, next)
	}
	return registerScalableTargetOutput{c.arn(next)}, err
}

// notThere returns the error for a table or an index that does not exist (of an index: ack-api-quirks DDB-TABLE-322,
// 2026-10-09).
func notThere(isIndex bool, resource string) error {
	if isIndex {
		return invalid("DynamoDB index does not exist: %s", resource)
	}
	return invalid("DynamoDB table does not exist: %s", resource)
}

// wake has the timer look after a target that has changed.
func (s *Service) wake(k key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.woken[k] = true
}

// apply returns the target that the request changes, or creates if t is nil.
func (in *registerScalableTargetInput) apply(c *call, t *target) (*target, error) {
	switch {
	case in.Tags != nil && len(in.Tags) == 0:
		return nil, invalid("Tags cannot be empty")
	case in.Tags != nil && t != nil:
		return nil, invalid("The scalable target that you tried to tag already exists. " +
			"To update tags on an existing scalable target, use the TagResource API.")
	case t == nil && in.MinCapacity == nil:
		return nil, invalid("Minimum capacity must be specified")
	case t == nil && in.MaxCapacity == nil:
		return nil, invalid("Maximum capacity must be specified")
	case t == nil && len(c.selected(c.space, func(*target) bool { return true })) >= maxTargets: // the text is ours
		return nil, serviceError("LimitExceededException", "An account has at most 5000 scalable targets of DynamoDB.")
	case t == nil:
		t = &target{Account: c.space, Resource: *in.ResourceId, Dimension: *in.ScalableDimension, ID: c.newID(),
			Created: seconds(c.clock.Now())}
	}
	next := t.clone()
	set(&next.Min, in.MinCapacity)
	set(&next.Max, in.MaxCapacity)
	set(&next.Role, in.RoleARN)
	if in.SuspendedState != nil {
		set(&next.Suspended.DynamicScalingInSuspended, in.SuspendedState.DynamicScalingInSuspended)
		set(&next.Suspended.DynamicScalingOutSuspended, in.SuspendedState.DynamicScalingOutSuspended)
		set(&next.Suspended.ScheduledScalingSuspended, in.SuspendedState.ScheduledScalingSuspended)
	}
	if err := next.addTags(in.Tags); err != nil {
		return nil, err
	}
	return next, checkRange(&next.Min, &next.Max)
}

// set replaces a value if there is a new one.
func set[T any](value *T, to *T) {
	if to != nil {
		*value = *to
	}
}

// checkRange checks the range of a capacity, each end of which may be missing. DynamoDB has at least one unit; the text
// is recorded of services that may have zero.
func checkRange(least, most *int64) error {
	switch {
	case least != nil && *least < 1:
		return invalid("Minimum capacity cannot be less than 1")
	case least != nil && most != nil && *most < *least:
		return invalid("Maximum capacity cannot be less than minimum capacity")
	case most != nil && *most < 1: // the text is ours
		return invalid("Maximum capacity cannot be less than 1")
	}
	return nil
}
