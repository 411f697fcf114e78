package autoscaling

// deregisterScalableTargetInput is the input of DeregisterScalableTarget.
type deregisterScalableTargetInput struct{ ref }

// deregisterScalableTarget deletes a target with its policy, its alarms and its scheduled actions. The capacity stays.
func deregisterScalableTarget(c *call, in *deregisterScalableTargetInput) (any, error) {
	t, err := c.existing(in.ref, "found")
	if err != nil {
		return nil, err
	}
	if err := c.dropTarget(t.key()); err != nil {
		return nil, err
	}
	if t.Policy != nil {
		err = c.alarms.DeleteScalingAlarms(t.Account, t.Policy.Alarms.list()...)
	}
	return empty{}, err
}
