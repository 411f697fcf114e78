package autoscaling

// deleteScalingPolicyInput is the input of DeleteScalingPolicy.
type deleteScalingPolicyInput struct {
	ref
	PolicyName *string
}

func (in *deleteScalingPolicyInput) check(v *violations) {
	in.ref.check(v)
	v.required("policyName", in.PolicyName, maxText)
}

// deleteScalingPolicy deletes the policy of a target, and its alarms.
func deleteScalingPolicy(c *call, in *deleteScalingPolicyInput) (any, error) {
	t, err := c.target(in.ref)
	if err != nil {
		return nil, err
	}
	if t == nil || t.Policy == nil || t.Policy.Name != *in.PolicyName {
		return nil, serviceError("ObjectNotFoundException", "No scaling policy found for "+in.String()+", policy name: "+
			*in.PolicyName)
	}
	next := t.clone()
	next.Policy = nil
	if err := c.saveTarget(next); err != nil {
		return nil, err
	}
	return empty{}, c.alarms.DeleteScalingAlarms(t.Account, t.Policy.Alarms.list()...)
}
