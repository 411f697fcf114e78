package cloudwatch

import (
	"context"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/metrics"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// noon is the start of a minute, of five minutes and of an hour.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// testService is a CloudWatch on a port, with a clock and metrics.
type testService struct {
	*testing.T
	clock    *clock.Clock
	registry *metrics.Registry
	store    *store.Store
	service  *Service
	url      string
	client   *cloudwatch.Client
}

func newTestService(t *testing.T, webhook Webhook) *testService {
	t.Helper()
	d := &testService{T: t, clock: clock.Manual(noon)}
	d.registry = metrics.New(d.clock)
	var err error
	if d.store, err = store.Open(store.Options{}); err != nil {
		t.Fatal(err)
	}
	d.service, err = New(Config{Store: d.store, Clock: d.clock, Metrics: d.registry, Webhook: webhook, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(d.service)
	t.Cleanup(func() {
		server.Close()
		d.service.Close()
		d.store.Close()
	})
	d.url = server.URL
	d.client = cloudwatch.New(cloudwatch.Options{
		Region: "us-east-1", BaseEndpoint: aws.String(d.url), RetryMaxAttempts: 1,
		Credentials: credentials.NewStaticCredentialsProvider("desk", "desk", ""),
	})
	return d
}

// advance moves the clock.
func (d *testService) advance(by time.Duration) {
	d.Helper()
	if err := d.clock.Advance(by); err != nil {
		d.Fatal(err)
	}
}

// observe adds values to a DynamoDB metric at the current time.
func (d *testService) observe(table, name string, values ...float64) {
	series := d.registry.Series(metrics.NewID("", metrics.Namespace, name, metrics.Dimension{Name: "TableName",
		Value: table}), "Count")
	for _, v := range values {
		series.Observe(d.clock.Now().Unix(), v)
	}
}

// throttles returns an alarm on any throttled write of the table orders in a minute.
func throttles() *cloudwatch.PutMetricAlarmInput {
	return &cloudwatch.PutMetricAlarmInput{
		AlarmName: aws.String("throttles"), Namespace: aws.String("AWS/DynamoDB"),
		MetricName: aws.String("WriteThrottleEvents"),
		Dimensions: []types.Dimension{{Name: aws.String("TableName"), Value: aws.String("orders")}},
		Statistic:  types.StatisticSum, Period: aws.Int32(60), EvaluationPeriods: aws.Int32(1),
		Threshold: aws.Float64(0), ComparisonOperator: types.ComparisonOperatorGreaterThanThreshold,
		TreatMissingData: aws.String("notBreaching"),
	}
}

func (d *testService) put(in *cloudwatch.PutMetricAlarmInput) {
	d.Helper()
	if _, err := d.client.PutMetricAlarm(context.Background(), in); err != nil {
		d.Fatal(err)
	}
}

// alarm returns the description of an alarm.
func (d *testService) alarm(name string) types.MetricAlarm {
	d.Helper()
	out, err := d.client.DescribeAlarms(context.Background(), &cloudwatch.DescribeAlarmsInput{AlarmNames: []string{name}})
	if err != nil {
		d.Fatal(err)
	}
	if len(out.MetricAlarms) != 1 {
		d.Fatalf("there are %d alarms %s", len(out.MetricAlarms), name)
	}
	return out.MetricAlarms[0]
}

// history returns the history of an alarm, the oldest first.
func (d *testService) history(name string) []types.AlarmHistoryItem {
	d.Helper()
	out, err := d.client.DescribeAlarmHistory(context.Background(), &cloudwatch.DescribeAlarmHistoryInput{AlarmName: &name,
		ScanBy: types.ScanByTimestampAscending})
	if err != nil {
		d.Fatal(err)
	}
	return out.AlarmHistoryItems
}

// newFuzzService returns a CloudWatch without a port.
func newFuzzService(f *testing.F) *Service {
	f.Helper()
	kept, err := store.Open(store.Options{})
	if err != nil {
		f.Fatal(err)
	}
	c := clock.Manual(noon)
	s, err := New(Config{Store: kept, Clock: c, Metrics: metrics.New(c)})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		s.Close()
		kept.Close()
	})
	return s
}
