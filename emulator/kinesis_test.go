package emulator_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/tabletop-db/tabletop/emulator"
)

// postKinesis sends a request to Kinesis as an SDK does, and returns the response.
func postKinesis(ctx context.Context, url, operation, body string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/x-amz-json-1.1")
	r.Header.Set("X-Amz-Target", "Kinesis_20131202."+operation)
	r.Header.Set("Authorization",
		"AWS4-HMAC-SHA256 Credential=test/20261121/us-east-1/kinesis/aws4_request, SignedHeaders=host, Signature=0")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s %s", operation, answer.Status, text)
	}
	return string(text), err
}

// callKinesis is postKinesis for a request that must succeed.
func callKinesis(t testing.TB, url, operation, body string) string {
	t.Helper()
	answer, err := postKinesis(t.Context(), url, operation, body)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// kinesisRecord is a record of GetRecords.
type kinesisRecord struct {
	Data                        []byte
	PartitionKey                string
	ApproximateArrivalTimestamp float64
}

// readKinesis returns the records of the one shard of a stream.
func readKinesis(t testing.TB, url, stream string) (all []kinesisRecord) {
	t.Helper()
	var at struct{ ShardIterator string }
	if err := json.Unmarshal([]byte(callKinesis(t, url, "GetShardIterator", `{"StreamName":"`+stream+
		`","ShardId":"shardId-000000000000","ShardIteratorType":"TRIM_HORIZON"}`)), &at); err != nil {
		t.Fatal(err)
	}
	for next := at.ShardIterator; ; {
		var out struct {
			Records           []kinesisRecord
			NextShardIterator string
		}
		answer := callKinesis(t, url, "GetRecords", `{"ShardIterator":"`+next+`"}`)
		if err := json.Unmarshal([]byte(answer), &out); err != nil {
			t.Fatal(err)
		}
		if len(out.Records) == 0 {
			return all
		}
		all, next = append(all, out.Records...), out.NextShardIterator
	}
}

// TestKinesisStreamsSurviveARestart checks that acknowledged records are in the folder.
func TestKinesisStreamsSurviveARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := emulator.Run(t, emulator.WithData(dir))
	callKinesis(t, first.DynamoDBURL(), "CreateStream", `{"StreamName":"changes","ShardCount":1}`)
	callKinesis(t, first.DynamoDBURL(), "PutRecord", `{"StreamName":"changes","PartitionKey":"a","Data":"b25l"}`)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := emulator.Run(t, emulator.WithData(dir))
	callKinesis(t, second.DynamoDBURL(), "PutRecord", `{"StreamName":"changes","PartitionKey":"a","Data":"dHdv"}`)
	callKinesis(t, second.DynamoDBURL(), "CreateStream", `{"StreamName":"others","ShardCount":1}`)
	got := readKinesis(t, second.DynamoDBURL(), "changes")
	if len(got) != 2 || string(got[0].Data) != "one" || string(got[1].Data) != "two" {
		t.Errorf("%+v", got)
	}
	if got := readKinesis(t, second.DynamoDBURL(), "others"); len(got) != 0 {
		t.Errorf("a new stream has %+v", got)
	}
}

// TestResetDeletesKinesisStreams checks that Reset leaves no stream.
func TestResetDeletesKinesisStreams(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t)
	callKinesis(t, e.DynamoDBURL(), "CreateStream", `{"StreamName":"changes"}`)
	if err := e.Reset(); err != nil {
		t.Fatal(err)
	}
	if answer := callKinesis(t, e.DynamoDBURL(), "ListStreams", `{}`); !strings.Contains(answer, `"StreamNames":[]`) {
		t.Error(answer)
	}
}
