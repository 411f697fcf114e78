package service

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	ddb "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cucumber/godog"
)

func (w *world) metrics(sc *godog.ScenarioContext) {
	sc.Step(`^the (\w+) of (\w+) of "([^"]*)" is (\S+)$`, func(ctx context.Context, stat, name, table, want string) error {
		return w.metricIs(ctx, stat, name, want, w.dimensions("TableName", table))
	})
	sc.Step(`^the (\w+) of (\w+) of the index "([^"]*)" of "([^"]*)" is (\S+)$`,
		func(ctx context.Context, stat, name, index, table, want string) error {
			return w.metricIs(ctx, stat, name, want, w.dimensions("TableName", table, "GlobalSecondaryIndexName", index))
		})
	sc.Step(`^the (\w+) of (\w+) of (\w+) on "([^"]*)" is (\S+)$`,
		func(ctx context.Context, stat, name, operation, table, want string) error {
			return w.metricIs(ctx, stat, name, want, w.dimensions("TableName", table, "Operation", operation))
		})
	sc.Step(`^the (\w+) of (\w+) of the account is (\S+)$`, func(ctx context.Context, stat, name, want string) error {
		return w.metricIs(ctx, stat, name, want, nil)
	})
	sc.Step(`^the metrics of "([^"]*)" are listed with (\w+)$`, w.metricListed)
	sc.Step(`^the metric (\w+) of "([^"]*)" receives the values (.*)$`, w.putValues)
	sc.Step(`^the (\w+) of the metric (\w+) of "([^"]*)" is (\S+)$`, w.ownMetricIs)
	sc.Step(`^"([^"]*)" is given a capacity of (\d+) reads? and (\d+) writes? a second$`, w.provision)
	sc.Step(`^Prometheus reads (\w+) of "([^"]*)" as (\S+)$`, w.prometheusReads)
}

// dimensions returns the dimensions for pairs of names and values. Table names get the target's prefix.
func (w *world) dimensions(pairs ...string) []types.Dimension {
	var all []types.Dimension
	for i := 0; i < len(pairs); i += 2 {
		value := &pairs[i+1]
		if pairs[i] == "TableName" {
			value = w.Table(*value)
		}
		all = append(all, types.Dimension{Name: &pairs[i], Value: value})
	}
	return all
}

// metricIs checks a statistic of a DynamoDB metric on the latest day of the last week that has data; "none" means no
// data.
func (w *world) metricIs(ctx context.Context, stat, name, want string, dimensions []types.Dimension) error {
	return w.statisticIs(ctx, "AWS/DynamoDB", stat, name, want, dimensions)
}

func (w *world) statisticIs(ctx context.Context, namespace, stat, name, want string,
	dimensions []types.Dimension) error {
	now := w.Target.Emulator.Now()
	out, err := w.CloudWatch().GetMetricData(ctx, &cloudwatch.GetMetricDataInput{
		StartTime: aws.Time(now.Add(-7 * 24 * time.Hour)), EndTime: aws.Time(now.Add(time.Second)),
		MetricDataQueries: []types.MetricDataQuery{{Id: aws.String("m1"), MetricStat: &types.MetricStat{
			Metric: &types.Metric{Namespace: &namespace, MetricName: &name, Dimensions: dimensions},
			Period: aws.Int32(24 * 3600), Stat: &stat,
		}}},
	})
	if err != nil {
		return err
	}
	got := "none"
	if values := out.MetricDataResults[0].Values; len(values) > 0 {
		got = strconv.FormatFloat(values[0], 'f', -1, 64)
	}
	if got != want {
		return fmt.Errorf("it is %s", got)
	}
	return nil
}

func (w *world) metricListed(ctx context.Context, table, name string) error {
	out, err := w.CloudWatch().ListMetrics(ctx, &cloudwatch.ListMetricsInput{
		Namespace: aws.String("AWS/DynamoDB"), Dimensions: []types.DimensionFilter{{Name: aws.String("TableName"),
			Value: w.Table(table)}},
	})
	if err != nil {
		return err
	}
	var names []string
	for _, m := range out.Metrics {
		if names = append(names, *m.MetricName); *m.MetricName == name {
			return nil
		}
	}
	return fmt.Errorf("there are %s", strings.Join(names, ", "))
}

// putValues puts data of a user's own metric.
func (w *world) putValues(ctx context.Context, name, namespace, list string) error {
	in := &cloudwatch.PutMetricDataInput{Namespace: &namespace}
	for text := range strings.SplitSeq(list, ", ") {
		value, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return err
		}
		in.MetricData = append(in.MetricData, types.MetricDatum{MetricName: &name, Value: &value,
			Unit: types.StandardUnitMilliseconds})
	}
	_, err := w.CloudWatch().PutMetricData(ctx, in)
	return err
}

func (w *world) ownMetricIs(ctx context.Context, stat, name, namespace, want string) error {
	return w.statisticIs(ctx, namespace, stat, name, want, nil)
}

func (w *world) provision(ctx context.Context, table string, reads, writes int64) error {
	_, err := w.Once.UpdateTable(ctx, &dynamodb.UpdateTableInput{
		TableName: w.Table(table), ProvisionedThroughput: &ddb.ProvisionedThroughput{ReadCapacityUnits: &reads,
			WriteCapacityUnits: &writes},
	})
	return err
}

// prometheusReads checks a line of /metrics.
func (w *world) prometheusReads(ctx context.Context, name, table, want string) error {
	if err := w.command(ctx, "GET /metrics", "", ""); err != nil {
		return err
	}
	line := fmt.Sprintf("%s{table_name=%q} %s\n", name, *w.Table(table), want)
	if !strings.Contains(w.response.body, "\n"+line) {
		return fmt.Errorf("there is no line %s", line)
	}
	return nil
}
