package autoscaling

import "slices"

// describeScalableTargetsInput is the input of DescribeScalableTargets.
type describeScalableTargetsInput struct {
	ServiceNamespace  *string
	ResourceIds       []string
	ScalableDimension *string
	pageInput
}

func (in *describeScalableTargetsInput) check(v *violations) {
	ref{ServiceNamespace: in.ServiceNamespace, ScalableDimension: in.ScalableDimension}.checkFilter(v)
	v.listed("resourceIds", in.ResourceIds)
}

type describeScalableTargetsOutput struct {
	ScalableTargets []targetDescription
	NextToken       *string `json:",omitempty"`
}

// targetDescription is the DescribeScalableTargets representation of a target.
type targetDescription struct {
	ServiceNamespace  string
	ResourceId        string
	ScalableDimension string
	MinCapacity       int64
	MaxCapacity       int64
	RoleARN           string
	CreationTime      float64
	SuspendedState    suspendedState
	ScalableTargetARN string
}

// The most elements of a response.
const (
	mostListed   = 50
	mostPolicies = 10
)

func describeScalableTargets(c *call, in *describeScalableTargetsInput) (any, error) {
	if err := c.permit("*"); err != nil {
		return nil, err
	}
	if in.ScalableDimension != nil && len(in.ResourceIds) == 0 { // the SDK's model; the text is ours
		return nil, invalid("ResourceIds must be specified when ScalableDimension is specified")
	}
	all := c.selected(c.space, func(t *target) bool {
		return *in.ServiceNamespace == namespace && matches(in.ScalableDimension, t.Dimension) &&
			(len(in.ResourceIds) == 0 || slices.Contains(in.ResourceIds, t.Resource))
	})
	some, next, err := page(all, in.pageInput, mostListed, func(t *target) string { return t.ID })
	out := describeScalableTargetsOutput{[]targetDescription{}, next}
	for _, t := range some {
		out.ScalableTargets = append(out.ScalableTargets, targetDescription{namespace, t.Resource, t.Dimension, t.Min,
			t.Max, c.roleARN(t), t.Created, t.Suspended, c.arn(t)})
	}
	return out, err
}

// matches reports whether a filter is missing or equals a value.
func matches(filter *string, value string) bool { return filter == nil || *filter == value }

// filterInput is the input of the operations that describe what belongs to targets.
type filterInput struct {
	ref
	pageInput
}

// filter returns the targets of an account that a request selects. A dimension needs a resource.
func (c *call) filter(in filterInput) ([]*target, error) {
	if err := c.permit("*"); err != nil {
		return nil, err
	}
	if in.ScalableDimension != nil && in.ResourceId == nil { // the SDK's model; the text is ours
		return nil, invalid("ResourceId must be specified when ScalableDimension is specified")
	}
	return c.selected(c.space, func(t *target) bool {
		return *in.ServiceNamespace == namespace && matches(in.ResourceId, t.Resource) &&
			matches(in.ScalableDimension, t.Dimension)
	}), nil
}
