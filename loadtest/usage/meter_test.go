package usage

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"github.com/tabletop-db/tabletop/loadtest/result"
)

// TestMeter checks that an attached client requests capacity by index, and that the capacity in the responses is
// recorded.
func TestMeter(t *testing.T) {
	t.Parallel()
	requests := make(chan string, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := make([]byte, 4096)
		n, _ := r.Body.Read(body)
		requests <- string(body[:n])
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		if strings.HasSuffix(r.Header.Get("X-Amz-Target"), "Query") {
			_, _ = w.Write(
				[]byte(`{"ConsumedCapacity":{"TableName":"k","CapacityUnits":0.5,"Table":{"CapacityUnits":0},"GlobalSecondaryIndexes":{"h":{"CapacityUnits":0.5}}}}`))
			return
		}
		_, _ = w.Write(
			[]byte(`{"ConsumedCapacity":[{"TableName":"k","CapacityUnits":2},{"TableName":"r","CapacityUnits":4,"Table":{"CapacityUnits":4}}]}`))
	}))
	t.Cleanup(s.Close)
	m := &Meter{}
	client := dynamodb.New(dynamodb.Options{Region: "us-east-1", BaseEndpoint: aws.String(s.URL),
		Credentials: credentials.NewStaticCredentialsProvider("a", "b", "")}, m.Attach)
	if _, err := client.Query(t.Context(), &dynamodb.QueryInput{TableName: aws.String("k")}); err != nil {
		t.Fatal(err)
	}
	_, err := client.TransactWriteItems(t.Context(),
		&dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
			{Put: &types.Put{TableName: aws.String("k"), Item: map[string]types.AttributeValue{}}}}})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if body := <-requests; !strings.Contains(body, `"ReturnConsumedCapacity":"INDEXES"`) {
			t.Errorf("the request is %s", body)
		}
	}
	want := []result.Consumed{
		{Table: "k", Calls: 1, WriteUnits: 2, WritesPerSecond: 1, WritePeak: 2},
		{Table: "k", Index: "h", Calls: 1, ReadUnits: 0.5, ReadsPerSecond: 0.25, ReadPeak: 0.5},
		{Table: "r", Calls: 1, WriteUnits: 4, WritesPerSecond: 2, WritePeak: 4},
	}
	if diff := cmp.Diff(want, consumed(m, 2)); diff != "" {
		t.Error(diff)
	}
	m.Reset("")
	if got := consumed(m, 1); len(got) != 0 {
		t.Errorf("after a reset: %+v", got)
	}
}

func TestMeterReportsThePeak(t *testing.T) {
	t.Parallel()
	m := &Meter{}
	begin := time.Unix(1000, 0)
	for i, units := range []float64{1, 2, 3, 1} { // two in each second
		m.add(false, []types.ConsumedCapacity{{TableName: aws.String("t"), CapacityUnits: aws.Float64(units)}},
			begin.Add(time.Duration(i)*500*time.Millisecond))
	}
	if got := consumed(m, 2)[0]; got.WritePeak != 4 || got.WritesPerSecond != 3.5 || got.Calls != 4 {
		t.Errorf("%+v", got)
	}
}

// TestMeterCountsThrottledAttempts checks that each attempt that DynamoDB throttles counts, although the client repeats
// it, and other errors do not.
func TestMeterCountsThrottledAttempts(t *testing.T) {
	t.Parallel()
	codes := make(chan string, 3)
	for _, code := range []string{"ProvisionedThroughputExceededException", "ThrottlingException", "ValidationException"} {
		codes <- code
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"__type":"com.amazonaws.dynamodb.v20120810#` + <-codes + `"}`))
	}))
	t.Cleanup(s.Close)
	m := &Meter{}
	client := dynamodb.New(dynamodb.Options{Region: "us-east-1", BaseEndpoint: aws.String(s.URL),
		Credentials: credentials.NewStaticCredentialsProvider("a", "b", "")}, m.Attach)
	if _, err := client.Query(t.Context(), &dynamodb.QueryInput{TableName: aws.String("k")}); err == nil {
		t.Error("it succeeded")
	}
	if n := m.Throttled(); n != 2 || len(codes) != 0 {
		t.Errorf("%d throttled, %d responses left", n, len(codes))
	}
	if m.Reset(""); m.Throttled() != 0 {
		t.Error("not reset")
	}
}

func consumed(m *Meter, seconds float64) []result.Consumed {
	u := m.Usage()
	return u.Consumed(seconds)
}
