package autoscaling

import "slices"

// describeScheduledActionsInput is the input of DescribeScheduledActions.
type describeScheduledActionsInput struct {
	filterInput
	ScheduledActionNames []string
}

func (in *describeScheduledActionsInput) check(v *violations) {
	in.checkFilter(v)
	v.listed("scheduledActionNames", in.ScheduledActionNames)
}

type describeScheduledActionsOutput struct {
	ScheduledActions []actionDescription
	NextToken        *string `json:",omitempty"`
}

// actionDescription is the DescribeScheduledActions representation of an action.
type actionDescription struct {
	ScheduledActionName  string
	ScheduledActionARN   string
	ServiceNamespace     string
	Schedule             string
	Timezone             string `json:",omitempty"`
	ResourceId           string
	ScalableDimension    string
	StartTime            *float64 `json:",omitempty"`
	EndTime              *float64 `json:",omitempty"`
	ScalableTargetAction scalableTargetAction
	CreationTime         float64
}

// describeScheduledActions describes actions, also those that do not run any more.
func describeScheduledActions(c *call, in *describeScheduledActionsInput) (any, error) {
	targets, err := c.filter(in.filterInput)
	if err != nil {
		return nil, err
	}
	var all []actionDescription
	for _, t := range targets {
		for _, a := range t.Actions {
			if len(in.ScheduledActionNames) == 0 || slices.Contains(in.ScheduledActionNames, a.Name) {
				all = append(all, actionDescription{a.Name, c.actionARN(t, a.Name), namespace, a.Schedule, a.Timezone,
					t.Resource, t.Dimension, a.Start, a.End, a.Action, a.Created})
			}
		}
	}
	arn := func(a actionDescription) string { return a.ScheduledActionARN }
	some, next, err := page(all, in.pageInput, mostListed, arn)
	return describeScheduledActionsOutput{some, next}, err
}
