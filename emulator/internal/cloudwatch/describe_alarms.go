package cloudwatch

import (
	"maps"
	"slices"
	"strings"
)

// DescribeAlarmsInput selects alarms by name, name prefix, state, or action.
type DescribeAlarmsInput struct {
	AlarmNames          []string
	AlarmNamePrefix     *string
	AlarmTypes          []string // absent: MetricAlarm
	StateValue          *string
	ActionPrefix        *string
	MaxRecords          *int64
	NextToken           *string
	ChildrenOfAlarmName *string
	ParentsOfAlarmName  *string
}

// DescribeAlarmsOutput is the response, in the order of the alarms' names.
type DescribeAlarmsOutput struct {
	MetricAlarms []MetricAlarm `json:",omitempty"`
	NextToken    *string       `json:",omitempty"`
}

func describeAlarms(c *caller, in *DescribeAlarmsInput) (*DescribeAlarmsOutput, error) {
	most, err := in.check()
	if err != nil {
		return nil, err
	}
	skip, err := offsetOf(in.NextToken)
	if err != nil {
		return nil, err
	}
	found, next := slicePage(c.alarmsMatching(in.matches), skip, most)
	return &DescribeAlarmsOutput{described(found), next}, nil
}

func (in *DescribeAlarmsInput) check() (most int, err error) {
	if in.ChildrenOfAlarmName != nil || in.ParentsOfAlarmName != nil {
		return 0, invalidValue(
			"The emulator has no composite alarms: ChildrenOfAlarmName and ParentsOfAlarmName are not supported.")
	}
	if in.AlarmNamePrefix != nil && len(in.AlarmNames) > 0 {
		return 0, invalidCombination("AlarmNames and AlarmNamePrefix cannot be specified together.")
	}
	if len(in.AlarmNames) > 100 {
		return 0, validationError("The collection AlarmNames must not have a size greater than 100.")
	}
	if in.StateValue != nil {
		if err := checkEnum("stateValue", *in.StateValue, stateOK, stateAlarm, stateInsufficient); err != nil {
			return 0, err
		}
	}
	for _, kind := range in.AlarmTypes {
		if err := checkEnum("alarmTypes", kind, "CompositeAlarm", "MetricAlarm", "LogAlarm"); err != nil {
			return 0, err
		}
	}
	return maxRecords(in.MaxRecords)
}

func (in *DescribeAlarmsInput) matches(a *alarm) bool {
	return (len(in.AlarmTypes) == 0 || slices.Contains(in.AlarmTypes, "MetricAlarm")) &&
		(len(in.AlarmNames) == 0 || slices.Contains(in.AlarmNames, *a.AlarmName)) &&
		strings.HasPrefix(*a.AlarmName, zero(in.AlarmNamePrefix)) &&
		(in.StateValue == nil || *in.StateValue == *a.StateValue) &&
		(in.ActionPrefix == nil || a.actsOn(*in.ActionPrefix))
}

// actsOn reports whether an action of the alarm begins with prefix.
func (a *alarm) actsOn(prefix string) bool {
	return slices.ContainsFunc(slices.Concat(a.OKActions, a.AlarmActions, a.InsufficientDataActions),
		func(arn string) bool {
			return strings.HasPrefix(arn, prefix)
		})
}

// alarmsMatching returns the caller's alarms for which match is true, in the order of their names.
func (c *caller) alarmsMatching(match func(*alarm) bool) []*alarm {
	c.mu.Lock()
	defer c.mu.Unlock()
	var found []*alarm
	for _, key := range slices.SortedFunc(maps.Keys(c.alarms), alarmKey.compare) {
		if a := c.alarms[key]; a.Account == c.account && match(a) {
			found = append(found, a)
		}
	}
	return found
}

func described(found []*alarm) []MetricAlarm {
	var all []MetricAlarm
	for _, a := range found {
		all = append(all, a.MetricAlarm)
	}
	return all
}
