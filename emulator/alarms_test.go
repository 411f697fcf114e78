package emulator_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	ddbtypes "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// TestAlarmsAreOnTheSamePort makes an alarm watch a table, call the webhook of its topic, and come back with a
// snapshot.
func TestAlarmsAreOnTheSamePort(t *testing.T) {
	t.Parallel()
	const topic = "arn:aws:sns:us-east-1:000000000000:on-call"
	called := make(chan struct{}, 10)
	hook := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { called <- struct{}{} }))
	defer hook.Close()
	e := emulator.Run(t, emulator.WithManualClock(time.Unix(1_800_000_000, 0)), emulator.WithAlarmTopic(topic, hook.URL))
	tables, alarms, ctx := dynamodb.NewFromConfig(e.AWSConfig()), cloudwatch.NewFromConfig(e.AWSConfig()),
		context.Background()
	_, err := alarms.PutMetricAlarm(ctx, &cloudwatch.PutMetricAlarmInput{
		AlarmName: aws.String("errors"), Namespace: aws.String("AWS/DynamoDB"), MetricName: aws.String("UserErrors"),
		Statistic: types.StatisticSum,
		Period:    aws.Int32(60), EvaluationPeriods: aws.Int32(1), Threshold: aws.Float64(1),
		ComparisonOperator: types.ComparisonOperatorGreaterThanOrEqualToThreshold,
		AlarmActions:       []string{topic},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tables.DescribeTable(ctx,
		&dynamodb.DescribeTableInput{TableName: aws.String("no-such-table")}); err == nil {
		t.Fatal("there is a table")
	}
	if err := e.Advance(time.Minute); err != nil {
		t.Fatal(err)
	}
	<-called
	before, err := e.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Reset(); err != nil {
		t.Fatal(err)
	}
	if listed, err := alarms.ListMetrics(ctx,
		&cloudwatch.ListMetricsInput{MetricName: aws.String("UserErrors")}); err != nil || len(listed.Metrics) > 0 {
		t.Errorf("after a reset there are the metrics %+v, %v", listed, err)
	}
	if err := e.Restore(before); err != nil {
		t.Fatal(err)
	}
	out, err := alarms.DescribeAlarms(ctx, &cloudwatch.DescribeAlarmsInput{StateValue: types.StateValueAlarm})
	if err != nil || len(out.MetricAlarms) != 1 {
		t.Errorf("after a snapshot is restored the alarms are %+v, %v", out, err)
	}
}

func TestAWebhookIsAURL(t *testing.T) {
	t.Parallel()
	for _, option := range []emulator.Option{emulator.WithAlarmWebhook("on-call"),
		emulator.WithAlarmWebhook("ftp://127.0.0.1/"), emulator.WithAlarmTopic("arn:aws:sns:us-east-1:000000000000:on-call",
			"")} {
		e, err := emulator.Start(option)
		var webhook *emulator.WebhookError
		if !errors.As(err, &webhook) {
			t.Errorf("the emulator starts: %v, %v", e, err)
		}
	}
}

// TestAnAlarmSeesASettingOfATableThatTookItsTime makes an alarm, without data for hours, watch a table whose creation
// and update take time and end without a request for it.
func TestAnAlarmSeesASettingOfATableThatTookItsTime(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t, emulator.WithManualClock(time.Unix(1_800_000_000, 0)), emulator.WithLikeCloud(emulator.States))
	tables, alarms, ctx := dynamodb.NewFromConfig(e.AWSConfig()), cloudwatch.NewFromConfig(e.AWSConfig()),
		context.Background()
	if _, err := alarms.PutMetricAlarm(ctx, &cloudwatch.PutMetricAlarmInput{
		AlarmName: aws.String("units"), Namespace: aws.String("AWS/DynamoDB"),
		MetricName: aws.String("ProvisionedReadCapacityUnits"), Statistic: types.StatisticMaximum,
		Dimensions: []types.Dimension{{Name: aws.String("TableName"), Value: aws.String("orders")}},
		Period:     aws.Int32(300), EvaluationPeriods: aws.Int32(1), Threshold: aws.Float64(100),
		ComparisonOperator: types.ComparisonOperatorGreaterThanThreshold,
	}); err != nil {
		t.Fatal(err)
	}
	state := func(after time.Duration) types.StateValue {
		t.Helper()
		if err := e.Advance(after); err != nil {
			t.Fatal(err)
		}
		out, err := alarms.DescribeAlarms(ctx, &cloudwatch.DescribeAlarmsInput{})
		if err != nil || len(out.MetricAlarms) != 1 {
			t.Fatal(out, err)
		}
		return out.MetricAlarms[0].StateValue
	}
	if got := state(24 * time.Hour); got != types.StateValueInsufficientData {
		t.Fatalf("without a table it is %s", got)
	}
	if _, err := tables.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName: aws.String("orders"), ProvisionedThroughput: &ddbtypes.ProvisionedThroughput{
			ReadCapacityUnits: aws.Int64(50), WriteCapacityUnits: aws.Int64(5)},
		AttributeDefinitions: []ddbtypes.AttributeDefinition{{AttributeName: aws.String("id"),
			AttributeType: ddbtypes.ScalarAttributeTypeS}},
		KeySchema: []ddbtypes.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: ddbtypes.KeyTypeHash}},
	}); err != nil {
		t.Fatal(err)
	}
	if got := state(24 * time.Hour); got != types.StateValueOk {
		t.Errorf("with the table it is %s", got)
	}
	if _, err := tables.UpdateTable(ctx, &dynamodb.UpdateTableInput{
		TableName: aws.String("orders"), ProvisionedThroughput: &ddbtypes.ProvisionedThroughput{
			ReadCapacityUnits: aws.Int64(500), WriteCapacityUnits: aws.Int64(5)},
	}); err != nil {
		t.Fatal(err)
	}
	if got := state(24 * time.Hour); got != types.StateValueAlarm {
		t.Errorf("with more units it is %s", got)
	}
	if _, err := tables.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: aws.String("orders")}); err != nil {
		t.Fatal(err)
	}
	if got := state(24 * time.Hour); got != types.StateValueInsufficientData {
		t.Errorf("without the table again it is %s", got)
	}
}
