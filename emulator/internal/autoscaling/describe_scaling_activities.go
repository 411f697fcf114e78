package autoscaling

import (
	"slices"
	"time"
)

// describeScalingActivitiesInput is the input of DescribeScalingActivities.
type describeScalingActivitiesInput struct {
	filterInput
	// IncludeNotScaledActivities is accepted, but the emulator does not record decisions not to scale.
	IncludeNotScaledActivities *bool
}

func (in *describeScalingActivitiesInput) check(v *violations) { in.checkFilter(v) }

type describeScalingActivitiesOutput struct {
	ScalingActivities []activityDescription
	NextToken         *string `json:",omitempty"`
}

// activityRetention is how long activities are described: six weeks (the SDK's model).
const activityRetention = 6 * 7 * 24 * time.Hour

// describeScalingActivities describes activities, the newest first, also those of targets that were deregistered.
func describeScalingActivities(c *call, in *describeScalingActivitiesInput) (any, error) {
	if _, err := c.filter(in.filterInput); err != nil {
		return nil, err
	}
	c.mu.RLock()
	all := c.activities
	c.mu.RUnlock()
	oldest := seconds(c.clock.Now().Add(-activityRetention))
	var selected []*activity
	for _, a := range slices.Backward(all) {
		if a.Account == c.space && a.StartTime >= oldest && *in.ServiceNamespace == namespace &&
			matches(in.ResourceId, a.ResourceId) && matches(in.ScalableDimension, a.ScalableDimension) {
			selected = append(selected, a)
		}
	}
	some, next, err := page(selected, in.pageInput, mostListed, func(a *activity) string { return a.ActivityId })
	out := describeScalingActivitiesOutput{[]activityDescription{}, next}
	for _, a := range some {
		out.ScalingActivities = append(out.ScalingActivities, a.activityDescription)
	}
	return out, err
}
