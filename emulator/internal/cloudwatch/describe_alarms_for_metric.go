package cloudwatch

import "slices"

// DescribeAlarmsForMetricInput selects the alarms that watch a metric.
type DescribeAlarmsForMetricInput struct {
	Namespace         *string
	MetricName        *string
	Dimensions        []Dimension
	Statistic         *string
	ExtendedStatistic *string
	Period            *int64
	Unit              *string
}

// DescribeAlarmsForMetricOutput is the response. It has no alarms on expressions, as in the service.
type DescribeAlarmsForMetricOutput struct {
	MetricAlarms []MetricAlarm `json:",omitempty"`
}

func describeAlarmsForMetric(c *caller, in *DescribeAlarmsForMetricInput) (*DescribeAlarmsForMetricOutput, error) {
	id, err := c.idOf("", in.Namespace, in.MetricName, in.Dimensions)
	if err != nil {
		return nil, err
	}
	found := c.alarmsMatching(func(a *alarm) bool {
		if a.MetricName == nil || len(a.queries) == 0 {
			return false
		}
		watched := a.queries[0].metric
		return watched.Namespace == id.Namespace && watched.Name == id.Name && slices.Equal(watched.Dimensions,
			id.Dimensions) &&
			equalIfSet(in.Statistic, a.Statistic) && equalIfSet(in.ExtendedStatistic, a.ExtendedStatistic) &&
			equalIfSet(in.Period, a.Period) && equalIfSet(in.Unit, a.Unit)
	})
	return &DescribeAlarmsForMetricOutput{described(found)}, nil
}

// equalIfSet reports whether a value is the requested one; a nil asked matches any value.
func equalIfSet[T comparable](want, have *T) bool {
	return want == nil || have != nil && *want == *have
}
