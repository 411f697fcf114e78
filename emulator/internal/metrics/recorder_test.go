package metrics

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/clock"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/telemetry"
	"github.com/tabletop-db/tabletop/emulator/internal/metrics/scrape"
	"github.com/tabletop-db/tabletop/emulator/internal/store"
)

// testService is a DynamoDB whose events are recorded.
type testService struct {
	t        *testing.T
	clock    *clock.Clock
	service  *dynamo.Service
	registry *Registry
}

func newTestService(t *testing.T) *testService {
	t.Helper()
	d := &testService{t: t, clock: clock.Manual(noon)}
	d.registry = New(d.clock)
	recorder := NewRecorder(d.registry)
	var settings *Settings
	kept, err := store.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d.service, err = dynamo.New(dynamo.Config{
		Store: kept, Clock: d.clock, OnItemExpired: recorder.Expired,
		Observers: []func(*telemetry.Event){recorder.Observe, func(e *telemetry.Event) { settings.Observe(e) }},
	})
	if err != nil {
		t.Fatal(err)
	}
	settings = NewSettings(d.registry, d.service)
	t.Cleanup(func() {
		d.service.Close()
		kept.Close()
	})
	return d
}

func (d *testService) ask(operation, body string) {
	d.t.Helper()
	r := httptest.NewRequest("POST", "/", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	r.Header.Set("X-Amz-Date", "20261121T120000Z")
	r.Header.Set("Authorization",
		"AWS4-HMAC-SHA256 Credential=desk/20261121/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
	d.service.ServeHTTP(httptest.NewRecorder(), r)
}

// sum returns the sum of a metric in the hour from noon, and its count.
func (d *testService) sum(id ID) string {
	points, unit := d.registry.Points(id, "", noon, noon.Add(time.Hour), time.Hour)
	if len(points) == 0 {
		return "none"
	}
	return fmt.Sprintf("%v of %v %s", points[0].Sum, points[0].Count, unit)
}

const orders = `{"TableName":"orders","KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],
	"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},{"AttributeName":"city","AttributeType":"S"}],
	"GlobalSecondaryIndexes":[{"IndexName":"by-city","KeySchema":[{"AttributeName":"city","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},
		"ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":4}}],
	"ProvisionedThroughput":{"ReadCapacityUnits":8000,"WriteCapacityUnits":2000}}`

// TestRequestMetrics checks the names, dimensions and values of the metrics of ordinary requests.
func TestRequestMetrics(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	d.ask("CreateTable", orders)
	d.ask("UpdateTimeToLive", `{"TableName":"orders","TimeToLiveSpecification":{"AttributeName":"until","Enabled":true}}`)
	d.ask("PutItem", `{"TableName":"orders","Item":{"id":{"S":"1"},"city":{"S":"Turku"}}}`)
	d.ask("PutItem", fmt.Sprintf(`{"TableName":"orders","Item":{"id":{"S":"2"},"until":{"N":"%d"}}}`, noon.Unix()+60))
	d.ask("PutItem", `{"TableName":"orders","Item":{"id":{"S":"1"}},"ConditionExpression":"attribute_not_exists(id)"}`)
	d.ask("GetItem", `{"TableName":"orders","Key":{"id":{"S":"1"}},"ConsistentRead":true}`)
	d.ask("Query", `{"TableName":"orders","IndexName":"by-city","KeyConditionExpression":"city = :c","ExpressionAttributeValues":{":c":{"S":"Turku"}}}`)
	d.ask("Scan", `{"TableName":"orders"}`)
	d.ask("ExecuteStatement", `{"Statement":"SELECT * FROM orders WHERE id IN ['1', '2']","ConsistentRead":true}`)
	d.ask("ExecuteStatement", `{"Statement":"DELETE FROM orders WHERE id = 'none'"}`)
	d.ask("GetItem", `{"TableName":"nowhere","Key":{"id":{"S":"1"}}}`)
	if err := d.clock.Advance(10 * time.Minute); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name       string
		dimensions []Dimension
		want       string
	}{
		{"ConsumedWriteCapacityUnits", []Dimension{{"TableName", "orders"}}, "4 of 4 Count"},
		{"ConsumedWriteCapacityUnits", []Dimension{{"TableName", "orders"}, {"GlobalSecondaryIndexName", "by-city"}},
			"1 of 1 Count"},
		{"ConsumedReadCapacityUnits", []Dimension{{"TableName", "orders"}}, "3.5 of 3 Count"},
		{"ConsumedReadCapacityUnits", []Dimension{{"TableName", "orders"}, {"GlobalSecondaryIndexName", "by-city"}},
			"0.5 of 1 Count"},
		{"ConditionalCheckFailedRequests", []Dimension{{"TableName", "orders"}}, "1 of 1 Count"},
		{"UserErrors", nil, "1 of 1 Count"},
		{"ReturnedItemCount", []Dimension{{"TableName", "orders"}, {"Operation", "Query"}}, "1 of 1 Count"},
		{"ReturnedItemCount", []Dimension{{"TableName", "orders"}, {"Operation", "Scan"}}, "2 of 1 Count"},
		{"ReturnedItemCount", []Dimension{{"TableName", "orders"}, {"Operation", "ExecuteStatement"}}, "2 of 1 Count"},
		{"TimeToLiveDeletedItemCount", []Dimension{{"TableName", "orders"}}, "1 of 1 Count"},
		{"ProvisionedReadCapacityUnits", []Dimension{{"TableName", "orders"}}, "24000 of 3 Count"},
		{"ProvisionedWriteCapacityUnits", []Dimension{{"TableName", "orders"}, {"GlobalSecondaryIndexName", "by-city"}},
			"12 of 3 Count"},
		{"MaxProvisionedTableReadCapacityUtilization", nil, "60 of 3 Percent"},
		{"ThrottledRequests", []Dimension{{"TableName", "orders"}, {"Operation", "PutItem"}}, "none"},
	} {
		if got := d.sum(NewID("", Namespace, c.name, c.dimensions...)); got != c.want {
			t.Errorf("%s of %v is %s, want %s", c.name, c.dimensions, got, c.want)
		}
	}
	latency, unit := d.registry.Points(NewID("", Namespace, "SuccessfulRequestLatency", Dimension{"TableName", "orders"},
		Dimension{"Operation", "PutItem"}), "", noon, noon.Add(time.Hour), time.Hour)
	if len(latency) != 1 || latency[0].Count != 2 || latency[0].Min <= 0 || unit != "Milliseconds" {
		t.Errorf("the latency of PutItem is %+v %s, want two successes", latency, unit)
	}
}

// TestErrorMetrics checks in which metrics each kind of failure is counted, and in which not.
func TestErrorMetrics(t *testing.T) {
	t.Parallel()
	throttle := []telemetry.Throttle{{Table: "orders", Index: "by-city", Write: true, Limit: telemetry.KeyRangeLimit}}
	conflict := []byte(`{"TransactItems":[{"Put":{"TableName":"orders"}},{"Delete":{"TableName":"orders"}},{"Update":{"TableName":"users"}}]}`)
	reasons := []byte(
		`{"CancellationReasons":[{"Code":"TransactionConflict"},{"Code":"TransactionConflict"},{"Code":"None"}]}`)
	for _, c := range []struct {
		what  string
		event telemetry.Event
		want  string
	}{
		{"a throttled write", telemetry.Event{Operation: "PutItem", Status: 400,
			Error: "ProvisionedThroughputExceededException", Throttles: throttle},
			"ThrottledRequests[PutItem orders]=1 WriteKeyRangeThroughputThrottleEvents[by-city orders]=1 WriteThrottleEvents[by-city orders]=1"},
		{"a batch throttled in part", telemetry.Event{Operation: "BatchWriteItem", Status: 200, Throttles: throttle},
			"WriteKeyRangeThroughputThrottleEvents[by-city orders]=1 WriteThrottleEvents[by-city orders]=1"},
		{"an internal error", telemetry.Event{Operation: "BatchGetItem", Status: 500,
			Request: []byte(`{"RequestItems":{"orders":{}}}`)},
			"SystemErrors[BatchGetItem orders]=1"},
		{"an internal error by a fault", telemetry.Event{Operation: "PutItem", Status: 500, InjectedError: true,
			Request: []byte(`{"TableName":"orders"}`)},
			"FaultInjectionServiceInducedErrors[PutItem orders]=1 SystemErrors[PutItem orders]=1"},
		{"a read of a stream", telemetry.Event{Operation: "GetRecords", Status: 200, Elapsed: 5 * time.Millisecond,
			Records: telemetry.StreamRead{Table: "orders", Label: "l", Records: 2, Bytes: 60}},
			"ReturnedBytes[GetRecords l orders]=60 ReturnedRecordsCount[GetRecords l orders]=2 SuccessfulRequestLatency[GetRecords l orders]=5"},
		{"a body that is none", telemetry.Event{Operation: "PutItem", Status: 400, Error: "SerializationException",
			Request: []byte(`{`)},
			"UserErrors[]=1"},
		{"a transaction in conflict", telemetry.Event{Operation: "TransactWriteItems", Status: 400,
			Error: "TransactionCanceledException", Request: conflict, Response: reasons},
			"TransactionConflict[orders]=2 UserErrors[]=1"},
		{"a write in conflict", telemetry.Event{Operation: "PutItem", Status: 400, Error: "TransactionConflictException",
			Request: []byte(`{"TableName":"orders"}`)},
			"TransactionConflict[orders]=1 UserErrors[]=1"},
	} {
		r := New(clock.Manual(noon))
		c.event.Start = noon
		NewRecorder(r).Observe(&c.event)
		var got []string
		for _, id := range r.List(func(ID, time.Time) bool { return true }) {
			points, _ := r.Points(id, "", noon, noon.Add(time.Minute), time.Minute)
			var values []string
			for _, d := range id.Dimensions {
				values = append(values, d.Value)
			}
			got = append(got, fmt.Sprintf("%s[%s]=%v", id.Name, strings.Join(values, " "), points[0].Sum))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s is counted as\n%s, want\n%s", c.what, text, c.want)
		}
	}
}

func TestPrometheusReadsTheSameFigures(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	d.ask("CreateTable", orders)
	d.ask("PutItem", `{"TableName":"orders","Item":{"id":{"S":"1"},"city":{"S":"Turku"}}}`)
	answer := httptest.NewRecorder()
	scrape.Handler(d.registry.Collector()).ServeHTTP(answer, httptest.NewRequest("GET", "/metrics", nil))
	for _, line := range []string{
		`aws_dynamodb_consumed_write_capacity_units_total{table_name="orders"} 1`,
		`aws_dynamodb_consumed_write_capacity_units_total{global_secondary_index_name="by-city",table_name="orders"} 1`,
		`aws_dynamodb_provisioned_read_capacity_units{table_name="orders"} 8000`,
		`aws_dynamodb_successful_request_latency_seconds_count{operation="PutItem",table_name="orders"} 1`,
		`aws_dynamodb_successful_request_latency_seconds_bucket{operation="PutItem",table_name="orders",le="+Inf"} 1`,
		`go_goroutines `,
	} {
		if !strings.Contains(answer.Body.String(), "\n"+line) {
			t.Errorf("there is no line %s in %d:\n%s", line, answer.Code, answer.Body)
		}
	}
}

// TestObservingTakesNoMemory checks that observing an ordinary request does not allocate once its series exist.
func TestObservingTakesNoMemory(t *testing.T) {
	r := NewRecorder(New(clock.Manual(noon)))
	e := putEvent()
	if n := testing.AllocsPerRun(100, func() { r.Observe(e) }); n > 0 {
		t.Errorf("an observation takes memory %v times", n)
	}
}

func putEvent() *telemetry.Event {
	return &telemetry.Event{
		Operation: "PutItem", Status: 200, Start: noon, Elapsed: 40 * time.Microsecond,
		Charges: []telemetry.Charge{{Table: "orders", Write: true, Units: 1}},
	}
}

func BenchmarkObserve(b *testing.B) {
	r := NewRecorder(New(clock.Manual(noon)))
	e := putEvent()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		e.Elapsed = time.Duration(i%400+20) * time.Microsecond
		r.Observe(e)
	}
}

// TestSettingsEndWithTheirTable checks that a deleted table has no provisioned capacity from then on.
func TestSettingsEndWithTheirTable(t *testing.T) {
	t.Parallel()
	d := newTestService(t)
	d.ask("CreateTable", orders)
	if err := d.clock.Advance(7 * time.Minute); err != nil {
		t.Fatal(err)
	}
	d.ask("DeleteTable", `{"TableName":"orders"}`)
	if err := d.clock.Advance(30 * time.Minute); err != nil {
		t.Fatal(err)
	}
	id := NewID("", Namespace, "ProvisionedReadCapacityUnits", Dimension{"TableName", "orders"})
	if got := d.sum(id); got != "16000 of 2 Count" {
		t.Errorf("the samples of 8000 are %s, want two", got)
	}
	if last := d.registry.Last(id); !last.Equal(noon.Add(7 * time.Minute)) {
		t.Errorf("the newest sample is of %s", last)
	}
}
