//go:build browser

package console_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// alarmOnWrites makes an alarm on the table orders, as another client does: more than 3 units in a minute.
func alarmOnWrites(t testing.TB, e *emulator.Emulator) {
	t.Helper()
	_, err := cloudwatch.NewFromConfig(e.AWSConfig()).PutMetricAlarm(t.Context(), &cloudwatch.PutMetricAlarmInput{
		AlarmName: aws.String("many writes"), Namespace: aws.String("AWS/DynamoDB"),
		MetricName: aws.String("ConsumedWriteCapacityUnits"), Statistic: types.StatisticSum, Period: aws.Int32(60),
		EvaluationPeriods: aws.Int32(1), Threshold: aws.Float64(3), TreatMissingData: aws.String("ignore"),
		ComparisonOperator: types.ComparisonOperatorGreaterThanThreshold,
		Dimensions:         []types.Dimension{{Name: aws.String("TableName"), Value: aws.String("orders")}}})
	if err != nil {
		t.Fatal(err)
	}
}

// TestMetrics sees what clients did before the page was opened, by the emulator's clock, and what they do afterwards.
func TestMetrics(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 11, 21, 12, 0, 30, 0, time.UTC)
	b := open(t, "/", emulator.WithManualClock(noon))
	client := ordersTable(t, b.emulator)
	alarmOnWrites(t, b.emulator)
	for i := range 6 {
		putItem(t, client, "orders", order("ana", i+1, "open"))
	}
	b.visit("/metrics")
	b.sees("Write capacity units per second Consumed 0.4", // six items and their index, in 30 seconds
		"many writes", "INSUFFICIENT_DATA", "Sum of ConsumedWriteCapacityUnits > 3", "on-demand writes 12 units",
		"No throttled requests", "11:00 11:30 12:00 UTC")
	b.fill("Operation", "PutItem orders")
	until[bool](b, "plotted", "Latency")
	b.must(b.emulator.Advance(time.Minute))
	b.sees("ALARM Sum of", "Threshold Crossed")
	b.click("15 d")
	b.sees("11-06 12:00")

	b.visit("/dynamodb/tables/orders/metrics")
	b.sees("many writes")
	b.click("Live")
	b.sees("since this page was opened")
	putItem(t, client, "orders", order("ana", 7, "open"))
	until[bool](b, "plotted", "Requests")
	until[bool](b, "plotted", "Write capacity")
	until[bool](b, "plotted", "Latency")
}

// TestMetricsOfAContainer sees the request units of the last hour, and the requests since the page was opened.
func TestMetricsOfAContainer(t *testing.T) {
	t.Parallel()
	b := open(t, "/")
	container := ordersContainer(t, b.emulator)
	upsert(t, container, "ana", `{"id":"1","customer":"ana"}`)
	b.visit("/cosmos/shop/orders/metrics")
	b.sees("Request units", "Provisioned 400")
	until[bool](b, "plotted", "Request units")
	b.click("Live")
	b.sees("since this page was opened")
	upsert(t, container, "ana", `{"id":"2","customer":"ana"}`)
	until[bool](b, "plotted", "Requests")
	until[bool](b, "plotted", "Latency")
	b.visit("/metrics")
	b.click("Cosmos DB")
	until[bool](b, "plotted", "Normalized consumption")
	b.click("15 d")
	b.sees("known for the last 3 hours")
}
