package autoscaling

import "slices"

// deleteScheduledActionInput is the input of DeleteScheduledAction.
type deleteScheduledActionInput struct {
	ref
	ScheduledActionName *string
}

func (in *deleteScheduledActionInput) check(v *violations) {
	in.ref.check(v)
	v.required("scheduledActionName", in.ScheduledActionName, maxText)
}

func deleteScheduledAction(c *call, in *deleteScheduledActionInput) (any, error) {
	t, err := c.existing(in.ref, "found")
	if err != nil {
		return nil, err
	}
	next := t.clone()
	at := next.actionNamed(*in.ScheduledActionName)
	if at < 0 {
		return nil, serviceError("ObjectNotFoundException", "No scheduled action found for service namespace: "+namespace+
			", scalable target ID: "+t.ID+", scheduled action name: "+*in.ScheduledActionName)
	}
	next.Actions = slices.Delete(next.Actions, at, at+1)
	return empty{}, c.saveTarget(next)
}
