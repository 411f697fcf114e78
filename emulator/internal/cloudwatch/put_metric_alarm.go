package cloudwatch

import (
	"fmt"
	"strings"
	"time"
)

// PutMetricAlarmInput creates an alarm, or replaces the configuration of the alarm with that name.
type PutMetricAlarmInput struct {
	AlarmName                        *string
	AlarmDescription                 *string
	ActionsEnabled                   *bool // absent: true
	OKActions                        []string
	AlarmActions                     []string
	InsufficientDataActions          []string
	MetricName                       *string
	Namespace                        *string
	Statistic                        *string
	ExtendedStatistic                *string
	Dimensions                       []Dimension
	Period                           *int64
	Unit                             *string
	EvaluationPeriods                *int64
	DatapointsToAlarm                *int64 // absent: EvaluationPeriods
	Threshold                        *float64
	ComparisonOperator               *string
	TreatMissingData                 *string // absent: missing
	EvaluateLowSampleCountPercentile *string // absent: evaluate
	EvaluationWindow                 *EvaluationWindow
	Metrics                          []MetricDataQuery
	Tags                             []Tag

	// Members that the emulator does not support, in order to refuse them.
	ThresholdMetricId   *string
	EvaluationInterval  *int64
	EvaluationCriteria  *struct{}
	ActionConfiguration *struct{}
	WarmUpConfiguration *struct{}
}

// maxAlarms limits the alarms of an emulator. The service has no such limit.
const maxAlarms = 5000

func putMetricAlarm(c *caller, in *PutMetricAlarmInput) (*noOutput, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	now := c.clock.Now()
	a := in.alarm(c.account, c.arnOf(c.account, *in.AlarmName))
	a.AlarmConfigurationUpdatedTimestamp = at(now)
	if err := a.prepare(c); err != nil {
		return nil, err
	}
	if err := a.checkReach(); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	done := "created"
	if previous, ok := c.alarms[a.key()]; ok {
		done = "updated"
		a.keepState(previous)
	} else if len(c.alarms) >= maxAlarms {
		return nil, tooManyAlarms()
	} else {
		a.begin(now)
		a.Tags = in.Tags
	}
	if err := c.save(a, a.configurationEvent(done, now)); err != nil {
		return nil, err
	}
	return &noOutput{}, nil
}

func tooManyAlarms() error { return limitExceeded("The emulator has %d alarms at most.", maxAlarms) }

// begin sets the state of a new alarm.
func (a *alarm) begin(now time.Time) {
	state, reason := stateInsufficient, initialReason
	a.StateValue, a.StateReason, a.StateUpdatedTimestamp, a.StateTransitionedTimestamp = &state, &reason, at(now), at(now)
}

// keepState copies what a new configuration of an alarm does not change.
func (a *alarm) keepState(previous *alarm) {
	a.Tags = previous.Tags
	a.StateValue, a.StateReason, a.StateReasonData = previous.StateValue, previous.StateReason, previous.StateReasonData
	a.StateUpdatedTimestamp, a.StateTransitionedTimestamp = previous.StateUpdatedTimestamp,
		previous.StateTransitionedTimestamp
}

func (in *PutMetricAlarmInput) alarm(space, arn string) *alarm {
	enabled := valueOr(in.ActionsEnabled, true)
	return &alarm{Account: space, MetricAlarm: MetricAlarm{
		AlarmName: in.AlarmName, AlarmArn: &arn, AlarmDescription: in.AlarmDescription,
		ActionsEnabled: &enabled, OKActions: in.OKActions, AlarmActions: in.AlarmActions,
		InsufficientDataActions: in.InsufficientDataActions,
		MetricName:              in.MetricName, Namespace: in.Namespace, Statistic: in.Statistic,
		ExtendedStatistic: in.ExtendedStatistic,
		Dimensions:        in.Dimensions, Period: in.Period, Unit: in.Unit,
		EvaluationPeriods: in.EvaluationPeriods, DatapointsToAlarm: in.DatapointsToAlarm,
		Threshold: in.Threshold, ComparisonOperator: in.ComparisonOperator, TreatMissingData: in.TreatMissingData,
		EvaluateLowSampleCountPercentile: in.EvaluateLowSampleCountPercentile, EvaluationWindow: in.EvaluationWindow,
		Metrics: in.Metrics,
	}}
}

// check refuses input that is invalid for any metric.
func (in *PutMetricAlarmInput) check() error {
	if err := checkAlarmName(in.AlarmName); err != nil {
		return err
	}
	for _, check := range []func() error{in.checkSupported, in.checkThreshold, in.checkWatched, in.checkActions} {
		if err := check(); err != nil {
			return err
		}
	}
	return checkTags(in.Tags)
}

func checkAlarmName(name *string) error {
	switch {
	case name == nil:
		return mustNotBeNull("alarmName")
	case *name == "" || len(*name) > maxName || !printable(*name):
		return constraintError(*name, "alarmName", "Member must have 1 to 255 characters, none of them a control character")
	}
	return nil
}

// checkSupported refuses members that the service has and the emulator does not support.
func (in *PutMetricAlarmInput) checkSupported() error {
	unsupported := ""
	switch {
	case in.ThresholdMetricId != nil:
		unsupported = "ThresholdMetricId, which alarms on anomalies need,"
	case in.EvaluationCriteria != nil || in.EvaluationInterval != nil:
		unsupported = "EvaluationCriteria, for alarms on PromQL,"
	case in.ActionConfiguration != nil:
		unsupported = "ActionConfiguration"
	case in.WarmUpConfiguration != nil:
		unsupported = "WarmUpConfiguration"
	case in.EvaluationWindow != nil && in.EvaluationWindow.WallClockWindow != nil &&
		valueOr(in.EvaluationWindow.WallClockWindow.Timezone, "UTC") != "UTC":
		unsupported = "A wall clock in a time zone other than UTC"
	default:
		return nil
	}
	return invalidValue("%s is not supported by this emulator.", unsupported)
}

func (in *PutMetricAlarmInput) checkThreshold() error {
	switch {
	case in.EvaluationPeriods == nil:
		return mustNotBeNull("evaluationPeriods")
	case *in.EvaluationPeriods < 1:
		return constraintError(fmt.Sprint(*in.EvaluationPeriods), "evaluationPeriods",
			"Member must have value greater than or equal to 1")
	case in.ComparisonOperator == nil:
		return mustNotBeNull("comparisonOperator")
	case in.Threshold == nil || !finite(*in.Threshold):
		return mustNotBeNull("threshold")
	case in.DatapointsToAlarm != nil && (*in.DatapointsToAlarm < 1 || *in.DatapointsToAlarm > *in.EvaluationPeriods):
		return validationError("DatapointsToAlarm must be from 1 to EvaluationPeriods.")
	}
	for _, c := range []struct {
		member, value string
		allowed       []string
	}{
		{"comparisonOperator", *in.ComparisonOperator, []string{"GreaterThanOrEqualToThreshold", "GreaterThanThreshold",
			"LessThanThreshold", "LessThanOrEqualToThreshold"}},
		{"treatMissingData", valueOr(in.TreatMissingData, "missing"), []string{"breaching", "notBreaching",
			"ignore", "missing"}},
		{"evaluateLowSampleCountPercentile", valueOr(in.EvaluateLowSampleCountPercentile, "evaluate"),
			[]string{"evaluate", "ignore"}},
	} {
		if err := checkEnum(c.member, c.value, c.allowed...); err != nil {
			return err
		}
	}
	return nil
}

// checkWatched refuses an alarm that watches nothing, or both a metric and an expression.
func (in *PutMetricAlarmInput) checkWatched() error {
	if in.Metrics == nil {
		switch {
		case in.MetricName == nil:
			return validationError("MetricName must not be null")
		case in.Namespace == nil:
			return validationError("Namespace must not be null")
		case in.Period == nil:
			return validationError("Period must not be null")
		case (in.Statistic == nil) == (in.ExtendedStatistic == nil):
			return validationError("Exactly one of Statistic and ExtendedStatistic must be specified.")
		case in.Statistic != nil:
			return checkEnum("statistic", *in.Statistic, "SampleCount", "Average", "Sum", "Minimum", "Maximum")
		}
		return nil
	}
	for _, m := range []struct {
		name string
		set  bool
	}{
		{"MetricName", in.MetricName != nil}, {"Namespace", in.Namespace != nil}, {"Dimensions", in.Dimensions != nil},
		{"Period", in.Period != nil},
		{"Unit", in.Unit != nil}, {"Statistic", in.Statistic != nil}, {"ExtendedStatistic", in.ExtendedStatistic != nil},
	} {
		if m.set {
			return validationError("%s should not be set if list of Metrics is set.", m.name)
		}
	}
	return nil
}

func (in *PutMetricAlarmInput) checkActions() error {
	for _, actions := range [][]string{in.OKActions, in.AlarmActions, in.InsufficientDataActions} {
		if len(actions) > 5 {
			return validationError("An alarm has at most 5 actions for a state, not %d.", len(actions))
		}
		for _, arn := range actions {
			if !strings.HasPrefix(arn, "arn:") || len(arn) > 1024 || strings.Count(arn, ":") < 5 {
				return validationError("Invalid arn syntax: %s", arn)
			}
		}
	}
	return nil
}

// checkReach refuses an alarm that looks back too far.
func (a *alarm) checkReach() error {
	most := int64(24 * 3600)
	if a.period >= 3600 {
		most = maxPeriod
	}
	if *a.EvaluationPeriods > most || *a.EvaluationPeriods*a.period > most {
		return validationError("Metrics cannot be checked across more than a day (EvaluationPeriods * Period must be <= 86400), or a week where the period is an hour or more (604800).")
	}
	return nil
}

func checkEnum(member, value string, allowed ...string) error {
	for _, a := range allowed {
		if value == a {
			return nil
		}
	}
	return constraintError(value, member, "Member must satisfy enum value set: ["+strings.Join(allowed, ", ")+"]")
}
