package emulator_test

import (
	"context"
	"maps"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// enableDestination makes a table stream to a Kinesis stream.
func enableDestination(t testing.TB, c *dynamodb.Client, table, stream string) {
	t.Helper()
	in := dynamodb.EnableKinesisStreamingDestinationInput{TableName: aws.String(table),
		StreamArn: aws.String("arn:aws:kinesis:us-east-1:000000000000:stream/" + stream)}
	if _, err := c.EnableKinesisStreamingDestination(context.Background(), &in); err != nil {
		t.Fatal(err)
	}
}

func (v *emulatorProcess) url() string { return *v.client.Options().BaseEndpoint }

// streamToKinesis makes the crash table stream to a new Kinesis stream.
func (v *emulatorProcess) streamToKinesis(t *testing.T) {
	t.Helper()
	callKinesis(t, v.url(), "CreateStream", `{"StreamName":"crash","ShardCount":1}`)
	enableDestination(t, v.client, "crash", "crash")
}

// deliver makes the emulator, which may be killed at any time, deliver to the Kinesis stream.
func (v *emulatorProcess) deliver() {
	_, _ = postKinesis(context.Background(), v.url(), "GetShardIterator",
		`{"StreamName":"crash","ShardId":"shardId-000000000000","ShardIteratorType":"LATEST"}`)
}

// checkKinesis compares the crash table with the content built from its Kinesis stream.
func (v *emulatorProcess) checkKinesis(t *testing.T) {
	t.Helper()
	if inTable, replayed := v.read(t, nil), v.replayKinesis(t); !maps.Equal(inTable, replayed) {
		t.Errorf("the table has %v, its Kinesis stream makes %v", inTable, replayed)
	}
}

// replayKinesis builds a table's content from its Kinesis stream, and checks that each record follows the last one of
// its key: none is missing, duplicate or out of order.
func (v *emulatorProcess) replayKinesis(t *testing.T) map[string]string {
	t.Helper()
	state := map[string]string{}
	for _, r := range readKinesis(t, v.url(), "crash") {
		c := changeOf(t, r)
		key := c.Dynamodb.Keys["pk"]["S"]
		if was := c.Dynamodb.OldImage["v"]["S"]; was != state[key] {
			t.Errorf("a Kinesis record of %s says that it was %q, and it was %q", key, was, state[key])
		}
		if state[key] = c.Dynamodb.NewImage["v"]["S"]; c.EventName == "REMOVE" {
			delete(state, key)
		}
	}
	return state
}
