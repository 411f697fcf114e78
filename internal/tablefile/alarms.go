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

// namespace is that of DynamoDB's metrics.
const namespace = "AWS/DynamoDB"

// The dimensions of DynamoDB's metrics.
const (
	tableDimension     = "TableName"
	indexDimension     = "GlobalSecondaryIndexName"
	operationDimension = "Operation"
)

// readAlarms describes the alarms on DynamoDB's metrics by their tables; those of the account are under "". Alarms that
// a file cannot describe, such as those on expressions, are not in it.
func (t *Target) readAlarms(ctx context.Context) (map[string][]Alarm, error) {
	all := map[string][]Alarm{}
	if t.alarms == nil {
		return all, nil
	}
	pages := cloudwatch.NewDescribeAlarmsPaginator(t.alarms, &cloudwatch.DescribeAlarmsInput{AlarmTypes: []types.AlarmType{types.AlarmTypeMetricAlarm}})
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

// operators are the comparisons by the words for them.
func operators() map[string]types.ComparisonOperator {
	return map[string]types.ComparisonOperator{
		">": types.ComparisonOperatorGreaterThanThreshold, ">=": types.ComparisonOperatorGreaterThanOrEqualToThreshold,
		"<": types.ComparisonOperatorLessThanThreshold, "<=": types.ComparisonOperatorLessThanOrEqualToThreshold,
	}
}

// alarmOf is an alarm as a file has it, and its table.
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
			a.When = When{word, aws.ToFloat64(m.Threshold)}
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
	a.fill()
	return table, a, a.When.Operator != ""
}

// request makes the alarm; table is empty for one of the account.
func (a *Alarm) request(table string) *cloudwatch.PutMetricAlarmInput {
	in := &cloudwatch.PutMetricAlarmInput{
		AlarmName: &a.Name, Namespace: aws.String(namespace), MetricName: &a.Metric,
		ComparisonOperator: operators()[a.When.Operator], Threshold: &a.When.Threshold,
		Period: aws.Int32(int32(time.Duration(a.Period) / time.Second)), EvaluationPeriods: &a.Periods, DatapointsToAlarm: &a.Datapoints,
		TreatMissingData: &a.Missing, AlarmActions: a.Actions, OKActions: a.OKActions,
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

// compareAlarms finds what a target lacks of a table's alarms, or of the account's where table is empty.
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
			p.add(table, "make the alarm "+a.Name, put)
		case !equalAlarms(have[i], a):
			p.add(table, "change the alarm "+a.Name, put)
		default:
			p.same("the alarm " + a.Name)
		}
	}
	for _, a := range have {
		if table != "" && !slices.ContainsFunc(want, func(w Alarm) bool { return w.Name == a.Name }) {
			p.extra(table, "the alarm "+a.Name, func(ctx context.Context) error {
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

// scalars are what an alarm has besides its lists.
func scalars(a Alarm) [12]any {
	return [12]any{a.Name, a.Description, a.Metric, a.Index, a.Operation, a.Statistic, a.Period, a.When, a.Periods, a.Datapoints, a.Missing}
}
