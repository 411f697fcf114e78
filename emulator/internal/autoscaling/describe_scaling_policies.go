package autoscaling

import "slices"

// describeScalingPoliciesInput is the input of DescribeScalingPolicies.
type describeScalingPoliciesInput struct {
	filterInput
	PolicyNames []string
}

func (in *describeScalingPoliciesInput) check(v *violations) {
	in.checkFilter(v)
	v.listed("policyNames", in.PolicyNames)
}

type describeScalingPoliciesOutput struct {
	ScalingPolicies []policyDescription
	NextToken       *string `json:",omitempty"`
}

// policyDescription is the DescribeScalingPolicies representation of a policy.
type policyDescription struct {
	PolicyARN                                string
	PolicyName                               string
	ServiceNamespace                         string
	ResourceId                               string
	ScalableDimension                        string
	PolicyType                               string
	TargetTrackingScalingPolicyConfiguration trackingConfiguration
	Alarms                                   []alarmRef
	CreationTime                             float64
}

func describeScalingPolicies(c *call, in *describeScalingPoliciesInput) (any, error) {
	targets, err := c.filter(in.filterInput)
	if err != nil {
		return nil, err
	}
	targets = slices.DeleteFunc(targets, func(t *target) bool {
		return t.Policy == nil || len(in.PolicyNames) > 0 && !slices.Contains(in.PolicyNames, t.Policy.Name)
	})
	some, next, err := page(targets, in.pageInput, mostPolicies, func(t *target) string { return t.ID })
	out := describeScalingPoliciesOutput{[]policyDescription{}, next}
	for _, t := range some {
		out.ScalingPolicies = append(out.ScalingPolicies, policyDescription{c.policyARN(t), t.Policy.Name, namespace,
			t.Resource, t.Dimension, targetTracking, t.Policy.Config, c.alarmRefs(t), t.Policy.Created})
	}
	return out, err
}
