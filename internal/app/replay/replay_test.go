package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/model/recording"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// run sends requests, each an operation and a body, to an emulator, and returns the recording. A body may contain a
// value of an earlier response, by the name of its member: "<StreamArn>".
func run(t *testing.T, requests ...string) string {
	t.Helper()
	var out bytes.Buffer
	e, err := emulator.Start(emulator.WithRecording(&out), emulator.WithManualClock(start), emulator.WithSeed(7))
	if err != nil {
		t.Fatal(err)
	}
	s, err := newSender(t.Context(), e.AWSConfig(), 1)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]string{}
	for _, request := range requests {
		operation, body, _ := strings.Cut(request, " ")
		for name, value := range known {
			body = strings.ReplaceAll(body, "<"+name+">", value)
		}
		got, err := s.send(t.Context(), operation, []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal(got.body, &v); err != nil {
			t.Fatalf("%s: %s", request, got.body)
		}
		remember(known, v)
		if err := e.Advance(time.Second); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// remember records the texts of a response by the names of their members.
func remember(known map[string]string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if text, ok := member.(string); ok {
				known[name] = text
			}
			remember(known, member)
		}
	case []any:
		for _, element := range v {
			remember(known, element)
		}
	}
}

// replayed replays a recording to an emulator with these options.
func replayed(t *testing.T, text string, c Config, opts ...emulator.Option) (Summary, []Result) {
	t.Helper()
	in, err := recording.NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	e := emulator.Run(t, append([]emulator.Option{emulator.WithManualClock(in.Header.Start), emulator.WithSeed(99)},
		opts...)...)
	config := e.AWSConfig()
	c.DynamoDB = &config
	c.Clock = func(to time.Time) error { return e.Advance(max(to.Sub(e.Now()), 0)) }
	var differ []Result
	c.Differs = func(r Result) { differ = append(differ, r) }
	sum, err := Run(t.Context(), in, c)
	if err != nil {
		t.Fatal(err)
	}
	return sum, differ
}

// orders returns requests of every kind.
func orders() []string {
	return []string{
		`CreateTable {"TableName":"orders","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],` +
			`"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}}`,
		`DescribeTable {"TableName":"orders"}`,
		`PutItem {"TableName":"orders","Item":{"id":{"S":"1"},"total":{"N":"12"},"tags":{"SS":["b","a"]}}}`,
		`PutItem {"TableName":"orders","Item":{"id":{"S":"1"}},"ConditionExpression":"attribute_not_exists(id)"}`,
		`UpdateItem {"TableName":"orders","Key":{"id":{"S":"2"}},"UpdateExpression":"SET total = :t","ExpressionAttributeValues":{":t":{"N":"3"}},"ReturnValues":"ALL_NEW"}`,
		`TransactWriteItems {"TransactItems":[{"Put":{"TableName":"orders","Item":{"id":{"S":"3"}}}}],"ClientRequestToken":"one"}`,
		`BatchGetItem {"RequestItems":{"orders":{"Keys":[{"id":{"S":"1"}},{"id":{"S":"2"}}]}}}`,
		`Scan {"TableName":"orders","Limit":2}`,
		`Scan {"TableName":"orders","ReturnConsumedCapacity":"TOTAL"}`,
		`DescribeStream {"StreamArn":"<LatestStreamArn>"}`,
		`GetShardIterator {"StreamArn":"<LatestStreamArn>","ShardId":"<ShardId>","ShardIteratorType":"TRIM_HORIZON"}`,
		`GetRecords {"ShardIterator":"<ShardIterator>"}`,
		`GetItem {"TableName":"nothing","Key":{"id":{"S":"1"}}}`,
		`DeleteTable {"TableName":"orders"}`,
	}
}

func TestReplayMatchesTheRecording(t *testing.T) {
	t.Parallel()
	text := run(t, orders()...)
	for name, c := range map[string]Config{"as it was": {}, "with capacity": {Capacity: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if sum, differ := replayed(t, text, c); sum.Sent != len(orders()) || sum.Different != 0 {
				t.Errorf("%+v %+v", sum, differ)
			}
		})
	}
}

func TestDifferencesAreShown(t *testing.T) {
	t.Parallel()
	text := run(t, orders()...)
	text = strings.Replace(text, `"request":{"TableName":"orders","Item":{"id":{"S":"1"},"total":{"N":"12"}`,
		`"request":{"TableName":"orders","Item":{"id":{"S":"4"},"total":{"N":"12"}`, 1)
	sum, differ := replayed(t, text, Config{})
	var out strings.Builder
	for _, r := range differ {
		if err := r.WriteText(&out); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"#4 PutItem\n  status  400 → 200\n  error   ConditionalCheckFailedException → nothing\n",
		"#7 BatchGetItem\n  Responses.orders[0].tags "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if sum.Different != len(differ) || sum.Same != sum.Sent-sum.Different {
		t.Errorf("%+v", sum)
	}
}

func TestOnlyFiltersRequests(t *testing.T) {
	t.Parallel()
	sum, _ := replayed(t, run(t, orders()...), Config{Only: []string{"CreateTable", "PutItem"}, Workers: 1, Rate: 1000})
	if sum.Sent != 3 || sum.Skipped != len(orders())-3 || sum.Different != 0 {
		t.Errorf("%+v", sum)
	}
}

// TestRequestsToAMissingDatabaseAreCounted replays a recording of both clouds to a target without Cosmos DB.
func TestRequestsToAMissingDatabaseAreCounted(t *testing.T) {
	t.Parallel()
	text := run(t, orders()[:3]...)
	text += `{"n":4,"time":"2026-01-02T03:04:09Z","micros":1,"service":"cosmos","operation":"ReadAccount","principal":"primary key","status":200}` + "\n"
	if sum, _ := replayed(t, text, Config{}); sum.Sent != 3 || sum.Same != 3 || sum.Missing != 1 || sum.Skipped != 0 {
		t.Errorf("%+v", sum)
	}
}

func TestManyWorkersSendEverythingOnce(t *testing.T) {
	t.Parallel()
	requests := orders()[:1]
	for range 100 {
		requests = append(requests, orders()[2])
	}
	if sum, _ := replayed(t, run(t, requests...), Config{Workers: 8, Only: []string{"PutItem"}}); sum.Sent != 100 ||
		sum.Different != 100 {
		t.Errorf("%+v", sum)
	}
}

func TestUnreachableTargetEndsTheReplay(t *testing.T) {
	t.Parallel()
	in, err := recording.NewReader(strings.NewReader(run(t, orders()...)))
	if err != nil {
		t.Fatal(err)
	}
	e := emulator.Run(t)
	config := e.AWSConfig()
	config.BaseEndpoint = aws.String("http://127.0.0.1:1")
	if sum, err := Run(t.Context(), in, Config{DynamoDB: &config}); err == nil || sum.Sent != 0 ||
		!strings.Contains(err.Error(), "request 1, CreateTable: the target does not respond") {
		t.Errorf("%+v %v", sum, err)
	}
}

func TestAReplayCanBeStopped(t *testing.T) {
	t.Parallel()
	in, err := recording.NewReader(strings.NewReader(run(t, orders()...)))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	config := emulator.Run(t).AWSConfig()
	if _, err := Run(ctx, in, Config{DynamoDB: &config, Rate: 0.001}); err == nil {
		t.Error("it went on")
	}
}

func TestReplayKeepsTheRecordedPace(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // Run does not wait
	p := pacer{rate: Original}
	for _, at := range []time.Duration{0, time.Second, 500 * time.Millisecond, time.Hour} {
		_ = p.wait(ctx, start.Add(at))
	}
	if want := time.Second + maxGap; p.due != want {
		t.Errorf("the last request is due after %v, want %v", p.due, want)
	}
	p = pacer{rate: 4}
	for range 5 {
		_ = p.wait(ctx, start)
	}
	if p.due != time.Second {
		t.Errorf("at 4 a second the fifth request is due after %v", p.due)
	}
}

// TestWorkersMoveTheClockInTurn has 8 workers that each bring a clock to the same time, an hour later.
func TestWorkersMoveTheClockInTurn(t *testing.T) {
	t.Parallel()
	var now atomic.Int64 // after start, in nanoseconds
	p := &player{Config: Config{Clock: func(to time.Time) error {
		missing := to.Sub(start.Add(time.Duration(now.Load())))
		for range 1000 { // so that the other workers read the time too
			runtime.Gosched()
		}
		now.Add(int64(missing))
		return io.ErrUnexpectedEOF // nothing is sent
	}}}
	var workers sync.WaitGroup
	for range 8 {
		workers.Go(func() {
			if err := p.play(t.Context(), &recording.Entry{Time: start.Add(time.Hour)}); err != io.ErrUnexpectedEOF {
				t.Error(err)
			}
		})
	}
	workers.Wait()
	if got := time.Duration(now.Load()); got != time.Hour {
		t.Errorf("the clock moved by %v", got)
	}
}
