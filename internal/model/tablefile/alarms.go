package tablefile

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
)

// namespace is the namespace of DynamoDB's metrics.
const namespace = "AWS/DynamoDB"

// The dimensions of DynamoDB's metrics.
const (
	tableDimension     = "TableName"
	indexDimension     = "GlobalSecondaryIndexName"
	operationDimension = "Operation"
)

// readAlarms returns the alarms on DynamoDB's metrics by table; those of the account are under "". Alarms that a file
// cannot describe, such as those on expressions, are left out.
func (t *Target) readAlarms(ctx context.Context) (map[string][]Alarm, error) {
	all := map[string][]Alarm{}
	if t.alarms == nil {
		return all, nil
	}
	pages := cloudwatch.NewDescribeAlarmsPaginator(t.alarms,
		&cloudwatch.DescribeAlarmsInput{AlarmTypes: []types.AlarmType{types.AlarmTypeMetricAlarm}})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, m := range page.MetricAlarms {
			if table, a, ok := alarmOf(m); ok {
				all[table] = append(all[table], a)
			}
		}
	}
	for _, alarms := range all {
		slices.SortFunc(alarms, func(a, b Alarm) int { return cmp.Compare(a.Name, b.Name) })
	}
	return all, nil
}

// operators maps the file's comparisons to the service's.
func operators() map[string]types.ComparisonOperator {
	return map[string]types.ComparisonOperator{
		">": types.ComparisonOperatorGreaterThanThreshold, ">=": types.ComparisonOperatorGreaterThanOrEqualToThreshold,
		"<": types.ComparisonOperatorLessThanThreshold, "<=": types.ComparisonOperatorLessThanOrEqualToThreshold,
	}
}

// alarmOf converts an alarm to the file's form, with its table.
func alarmOf(m types.MetricAlarm) (table string, a Alarm, ok bool) {
	if aws.ToString(m.Namespace) != namespace || len(m.Metrics) > 0 {
		return "", a, false
	}
	a = Alarm{
		Name: *m.AlarmName, Description: aws.ToString(m.AlarmDescription), Metric: aws.ToString(m.MetricName),
		Statistic: cmp.Or(string(m.Statistic), aws.ToString(m.ExtendedStatistic)),
		Period:    Period(time.Duration(aws.ToInt32(m.Period)) * time.Second), Periods: aws.ToInt32(m.EvaluationPeriods),
		Datapoints: aws.ToInt32(m.DatapointsToAlarm), Missing: aws.ToString(m.TreatMissingData),
		Actions: m.AlarmActions, OKActions: m.OKActions,
	}
	for word, operator := range operators() {
		if m.ComparisonOperator == operator {
			a.When = AlarmCondition{word, aws.ToFloat64(m.Threshold)}
		}
	}
	for _, d := range m.Dimensions {
		switch value := aws.ToString(d.Value); aws.ToString(d.Name) {
		case tableDimension:
			table = value
		case indexDimension:
			a.Index = value
		case operationDimension:
			a.Operation = value
		default:
			return "", a, false
		}
	}
	a.setDefaults()
	return table, a, a.When.Operator != ""
}

// request returns the request that creates the alarm; table is empty for an alarm of the account.
func (a *Alarm) request(table string) *cloudwatch.PutMetricAlarmInput {
	in := &cloudwatch.PutMetricAlarmInput{
		AlarmName: &a.Name, Namespace: aws.String(namespace), MetricName: &a.Metric,
		ComparisonOperator: operators()[a.When.Operator], Threshold: &a.When.Threshold,
		Period: aws.Int32(int32(time.Duration(a.Period) / time.Second)), EvaluationPeriods: &a.Periods,
		DatapointsToAlarm: &a.Datapoints,
		TreatMissingData:  &a.Missing, AlarmActions: a.Actions, OKActions: a.OKActions,
	}
	if a.Description != "" {
		in.AlarmDescription = &a.Description
	}
	if slices.Contains(types.Statistic("").Values(), types.Statistic(a.Statistic)) {
		in.Statistic = types.Statistic(a.Statistic)
	} else {
		in.ExtendedStatistic = &a.Statistic
	}
	for _, d := range [][2]string{{tableDimension, table}, {indexDimension, a.Index}, {operationDimension, a.Operation}} {
		if d[1] != "" {
			in.Dimensions = append(in.Dimensions, types.Dimension{Name: aws.String(d[0]), Value: aws.String(d[1])})
		}
	}
	return in
}

// compareAlarms finds what a target lacks of the alarms of a table, or of the account if table is empty.
func (t *Target) compareAlarms(p *Plan, table string, want, have []Alarm) {
	if t.alarms == nil {
		return
	}
	for _, a := range want {
		put := func(ctx context.Context) error {
			_, err := t.alarms.PutMetricAlarm(ctx, a.request(table))
			return err
		}
		i := slices.IndexFunc(have, func(h Alarm) bool { return h.Name == a.Name })
		switch {
		case i < 0:
			p.add(table, "create alarm "+a.Name, put)
		case !equalAlarms(have[i], a):
			p.add(table, "update alarm "+a.Name, put)
		default:
			p.addUnchanged("alarm " + a.Name)
		}
	}
	for _, a := range have {
		if table != "" && !slices.ContainsFunc(want, func(w Alarm) bool { return w.Name == a.Name }) {
			p.extra(table, "alarm "+a.Name, func(ctx context.Context) error {
				_, err := t.alarms.DeleteAlarms(ctx, &cloudwatch.DeleteAlarmsInput{AlarmNames: []string{a.Name}})
				return err
			})
		}
	}
}

func equalAlarms(a, b Alarm) bool {
	if !slices.Equal(a.Actions, b.Actions) || !slices.Equal(a.OKActions, b.OKActions) {
		return false
	}
	a.Actions, a.OKActions, b.Actions, b.OKActions = nil, nil, nil, nil
	return scalars(a) == scalars(b)
}

// scalars returns the fields of an alarm except its lists.
func scalars(a Alarm) [12]any {
	return [12]any{a.Name, a.Description, a.Metric, a.Index, a.Operation, a.Statistic, a.Period, a.When, a.Periods,
		a.Datapoints, a.Missing}
}
