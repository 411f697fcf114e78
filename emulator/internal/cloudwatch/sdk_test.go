package cloudwatch

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/smithy-go"
)

// TestSDKMetricsRoundTrip uses the SDK's protocol, CBOR, in both directions, with its paginator.
func TestSDKMetricsRoundTrip(t *testing.T) {
	t.Parallel()
	d, ctx := newTestService(t, Webhook{}), context.Background()
	_, err := d.client.PutMetricData(ctx, &cloudwatch.PutMetricDataInput{Namespace: aws.String("Own"),
		MetricData: []types.MetricDatum{
			{MetricName: aws.String("m"), Value: aws.Float64(3), Unit: types.StandardUnitSeconds,
				Dimensions: []types.Dimension{{Name: aws.String("a"), Value: aws.String("b")}}},
			{MetricName: aws.String("m"), Values: []float64{1, 2.5}, Counts: []float64{2, 4},
				Timestamp: aws.Time(noon.Add(-time.Minute)), Unit: types.StandardUnitSeconds,
				Dimensions: []types.Dimension{{Name: aws.String("a"), Value: aws.String("b")}}},
		}})
	if err != nil {
		t.Fatal(err)
	}
	pages := cloudwatch.NewGetMetricDataPaginator(d.client, &cloudwatch.GetMetricDataInput{
		StartTime: aws.Time(noon.Add(-time.Hour)), EndTime: aws.Time(noon.Add(time.Hour)), MaxDatapoints: aws.Int32(1),
		ScanBy: types.ScanByTimestampAscending,
		MetricDataQueries: []types.MetricDataQuery{{Id: aws.String("m1"), MetricStat: &types.MetricStat{Period: aws.Int32(60),
			Stat: aws.String("Sum"), Metric: &types.Metric{
				Namespace: aws.String("Own"), MetricName: aws.String("m"), Dimensions: []types.Dimension{{Name: aws.String("a"),
					Value: aws.String("b")}}}}}},
	})
	var values []float64
	var times []time.Time
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, page.MetricDataResults[0].Values...)
		times = append(times, page.MetricDataResults[0].Timestamps...)
	}
	if len(values) != 2 || values[0] != 12 || values[1] != 3 || !times[0].Equal(noon.Add(-time.Minute)) ||
		!times[1].Equal(noon) {
		t.Errorf("the values are %v at %v, want 12 and 3 at 11:59 and 12:00", values, times)
	}
	listed, err := d.client.ListMetrics(ctx, &cloudwatch.ListMetricsInput{Namespace: aws.String("Own")})
	if err != nil || len(listed.Metrics) != 1 || *listed.Metrics[0].Dimensions[0].Value != "b" {
		t.Errorf("the metrics are %+v, %v", listed, err)
	}
}

// TestErrorsHaveTheSDKTypes checks that errors have the SDK's types, and the codes of the query protocol.
func TestErrorsHaveTheSDKTypes(t *testing.T) {
	t.Parallel()
	d, ctx := newTestService(t, Webhook{}), context.Background()
	_, err := d.client.SetAlarmState(ctx, &cloudwatch.SetAlarmStateInput{AlarmName: aws.String("none"),
		StateValue: types.StateValueOk, StateReason: aws.String("")})
	var missing *types.ResourceNotFound
	if !errors.As(err, &missing) || missing.ErrorMessage() != "Unknown alarm: none" {
		t.Errorf("an unknown alarm is %v", err)
	}
	_, err = d.client.DescribeAlarms(ctx, &cloudwatch.DescribeAlarmsInput{MaxRecords: aws.Int32(1000)})
	var invalid smithy.APIError
	if !errors.As(err, &invalid) || invalid.ErrorCode() != "ValidationError" ||
		invalid.ErrorFault() != smithy.FaultClient {
		t.Errorf("too many records are %v", err)
	}
	_, err = d.client.ListDashboards(ctx, &cloudwatch.ListDashboardsInput{})
	if !errors.As(err, &invalid) || invalid.ErrorCode() != "InvalidAction" {
		t.Errorf("an operation that there is not is %v", err)
	}
}

func TestPercentileAlarmsCanIgnoreLowSamples(t *testing.T) {
	t.Parallel()
	d := newTestService(t, Webhook{})
	for name, low := range map[string]string{"ignoring": "ignore", "evaluating": "evaluate"} {
		in := throttles()
		in.AlarmName, in.EvaluateLowSampleCountPercentile = aws.String(name), aws.String(low)
		in.MetricName, in.Statistic, in.ExtendedStatistic = aws.String("SuccessfulRequestLatency"), "", aws.String("p90")
		d.put(in)
	}
	d.observe("orders", "SuccessfulRequestLatency", 5)
	d.advance(time.Minute)
	if a := d.alarm("ignoring"); a.StateValue != types.StateValueInsufficientData {
		t.Errorf("with one observation, where p90 wants a hundred, the alarm that ignores is %s", a.StateValue)
	}
	if a := d.alarm("evaluating"); a.StateValue != types.StateValueAlarm {
		t.Errorf("with one observation the alarm that evaluates is %s", a.StateValue)
	}
}

// TestWindowsSlideUnlessAlignedToTheWallClock checks when a period of five minutes is evaluated.
func TestWindowsSlideUnlessAlignedToTheWallClock(t *testing.T) {
	t.Parallel()
	d := newTestService(t, Webhook{})
	in := throttles()
	in.Period = aws.Int32(300)
	d.put(in)
	wall := *in
	wall.AlarmName = aws.String("wall")
	wall.EvaluationWindow = &types.EvaluationWindowMemberWallClockWindow{Value: types.WallClockWindow{}}
	d.put(&wall)
	d.advance(time.Minute)
	d.observe("orders", "WriteThrottleEvents", 1)
	d.advance(time.Minute)
	if a := d.alarm("throttles"); a.StateValue != types.StateValueAlarm {
		t.Errorf("after the minute the sliding alarm is %s", a.StateValue)
	}
	if a := d.alarm("wall"); a.StateValue != types.StateValueOk {
		t.Errorf("before its five minutes are over the alarm by the wall clock is %s", a.StateValue)
	}
	d.advance(3 * time.Minute)
	if a := d.alarm("wall"); a.StateValue != types.StateValueAlarm {
		t.Errorf("after its five minutes the alarm by the wall clock is %s", a.StateValue)
	}
}

// FuzzRequests checks that no body crashes the service, in any of the protocols.
func FuzzRequests(f *testing.F) {
	f.Add("PutMetricAlarm", []byte(`{"AlarmName": "a", "Metrics": [{"Id": "m", "Expression": "1+"}]}`), byte(0))
	f.Add("GetMetricData", []byte("MetricDataQueries.member.1.Id=m1&StartTime=2026-11-21T12:00:00Z"), byte(1))
	f.Add("PutMetricData", []byte("\xa1jMetricData\x81\xa1eValue\xfb\x40\x00\x00\x00\x00\x00\x00\x00"), byte(2))
	d := newFuzzService(f)
	f.Fuzz(func(t *testing.T, operation string, body []byte, protocol byte) {
		r := httptest.NewRequest("POST", "/", strings.NewReader(string(body)))
		switch protocol % 3 {
		case 0:
			r.Header.Set("X-Amz-Target", "GraniteServiceVersion20100801."+operation)
		case 1:
			r = httptest.NewRequest("POST", "/", strings.NewReader("Action="+operation+"&"+string(body)))
		case 2:
			r.URL.Path = rpcPath + operation
		}
		w := httptest.NewRecorder()
		d.ServeHTTP(w, r)
		if w.Code == http.StatusInternalServerError {
			t.Errorf("%s: %s", operation, w.Body)
		}
	})
}
