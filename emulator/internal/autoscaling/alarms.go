package autoscaling

import (
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/cloudwatch"
)

// lowMargin is by how many percentage points the utilization must be below the target to scale in. (2026-09-17, of a
// target of 70; other targets were not recorded.)
const lowMargin = 20

// replaceAlarms creates the alarms of a target's policy for a capacity in units per second, stores the target, and
// deletes the previous alarms. changes must be closed, and t not be stored yet.
func (s *Service) replaceAlarms(t *target, units int64) error {
	p := t.Policy
	previous := p.Alarms.list()
	p.Alarms, p.Capacity = alarmNames{}, units
	target, minute := *p.Config.TargetValue/100, float64(units)*60
	provisioned := alarm{metric: "Provisioned", statistic: "Average", period: 300, periods: 3, threshold: float64(units)}
	all := []struct {
		name *string
		kind string
		alarm
	}{
		{&p.Alarms.High, "AlarmHigh", alarm{"Consumed", "Sum", 60, 2, minute * target}},
		{&p.Alarms.Low, "AlarmLow", alarm{"Consumed", "Sum", 60, 15, minute * (target - lowMargin/100.)}},
		{&p.Alarms.ProvisionedHigh, "ProvisionedCapacityHigh", provisioned},
		{&p.Alarms.ProvisionedLow, "ProvisionedCapacityLow", provisioned},
	}
	for _, a := range all {
		if a.kind == "AlarmLow" && p.Config.DisableScaleIn != nil && *p.Config.DisableScaleIn {
			continue
		}
		*a.name = "TargetTracking-" + t.Resource + "-" + a.kind + "-" + s.newID()
		if err := s.putAlarm(t, *a.name, a.alarm, a.kind == "AlarmHigh" || a.kind == "ProvisionedCapacityHigh"); err != nil {
			return s.undoAlarms(t, err)
		}
	}
	if err := s.saveTarget(t); err != nil {
		return s.undoAlarms(t, err)
	}
	return s.alarms.DeleteScalingAlarms(t.Account, previous...)
}

// undoAlarms deletes the alarms that were created for a target that cannot be stored, and returns the reason.
func (s *Service) undoAlarms(t *target, reason error) error {
	if err := s.alarms.DeleteScalingAlarms(t.Account, t.Policy.Alarms.list()...); err != nil {
		s.log.Error("the alarms of a scaling policy could not be deleted", "policy", t.Policy.Name, "error", err)
	}
	return reason
}

// alarm is what an alarm of a policy watches.
type alarm struct {
	metric    string // Consumed or Provisioned
	statistic string
	period    int64 // seconds
	periods   int64
	threshold float64
}

// putAlarm creates an alarm of a target's policy, which goes off above its threshold, or below it.
func (s *Service) putAlarm(t *target, name string, a alarm, above bool) error {
	r := t.resource()
	action := s.policyARN(t) + ":createdBy/" + t.Policy.CreatedBy
	metricsNamespace, metric := "AWS/DynamoDB", a.metric+r.kind()+"CapacityUnits"
	description := "DO NOT EDIT OR DELETE. For TargetTrackingScaling policy " + action + "."
	comparison := "LessThanThreshold"
	if above {
		comparison = "GreaterThanThreshold"
	}
	dimensions := []cloudwatch.Dimension{{Name: new("TableName"), Value: &r.table}}
	if r.index != "" {
		dimensions = slices.Insert(dimensions, 0,
			cloudwatch.Dimension{Name: new("GlobalSecondaryIndexName"), Value: &r.index})
	}
	var zeroSince int64
	if a.metric == "Consumed" {
		zeroSince = int64(t.Policy.Created)
	}
	return s.alarms.PutScalingAlarm(t.Account, &cloudwatch.PutMetricAlarmInput{
		AlarmName: &name, AlarmDescription: &description, AlarmActions: []string{action}, MetricName: &metric,
		Namespace: &metricsNamespace, Dimensions: dimensions, Statistic: &a.statistic, Period: &a.period,
		EvaluationPeriods: &a.periods, Threshold: &a.threshold, ComparisonOperator: &comparison,
	}, zeroSince)
}

// alarmRef is an alarm in responses.
type alarmRef struct{ AlarmARN, AlarmName string }

// alarmRefs returns the alarms of a target's policy.
func (s *Service) alarmRefs(t *target) []alarmRef {
	all := []alarmRef{}
	for _, name := range t.Policy.Alarms.list() {
		all = append(all, alarmRef{s.accountID.ARN("cloudwatch", t.Account, "alarm:"+name), name})
	}
	return all
}
