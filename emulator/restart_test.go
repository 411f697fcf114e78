package emulator_test

import (
	"bufio"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/internal/testutil/await"
)

// ownConnection is a client with one connection, which it never opens again. It sends a refused request again.
type ownConnection struct {
	*emulator.Emulator
	net.Conn
	responses *bufio.Reader
}

func dialOnce(t *testing.T, e *emulator.Emulator) *ownConnection {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(e.DynamoDBURL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &ownConnection{e, conn, bufio.NewReader(conn)}
}

// count asks for the number of items of the table counters, three times at most.
func (c *ownConnection) count(t *testing.T) error {
	for range 3 {
		r := request(t, c.Emulator, "Scan", strings.NewReader(`{"TableName":"counters","Select":"COUNT","ConsistentRead":true}`))
		if err := r.Write(c.Conn); err != nil {
			return err
		}
		response, err := http.ReadResponse(c.responses, r)
		if err != nil {
			return err
		}
		if _, err := c.responses.Discard(int(response.ContentLength)); err != nil || response.StatusCode == http.StatusOK {
			return err
		}
	}
	return errors.New("the request is refused three times")
}

// TestARestartCutsAllConnectionsAndLosesNoWrite restarts emulators in memory and on a folder, after a write and while
// other connections wait for a request and for a response.
func TestARestartCutsAllConnectionsAndLosesNoWrite(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string][]emulator.Option{"memory": nil, "folder": {emulator.WithData(t.TempDir())}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
			c := newCounter(t, append(opts, emulator.WithManualClock(start), emulator.WithLikeCloud(emulator.Lag))...)
			idle := dialOnce(t, c.Emulator)
			if err := idle.count(t); err != nil {
				t.Fatal(err)
			}
			c.fail(t, emulator.Fault{Do: emulator.DoDelay, Operations: []string{"GetItem"}, Latency: time.Hour, Times: 1})
			waiting := make(chan error, 1)
			go func() {
				_, err := c.db.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("counters"), Key: counterKey("a")})
				waiting <- err
			}()
			c.await(1)
			c.fail(t, emulator.Fault{Do: emulator.DoRestart, Operations: []string{"UpdateItem"}, Times: 1})
			if _, err := c.db.UpdateItem(t.Context(), increment("a")); err == nil {
				t.Error("the write has a response")
			}
			if err := <-waiting; err == nil {
				t.Error("the request in progress has a response")
			}
			await.True(t, "the idle connection is cut, perhaps after others", func() bool { return idle.count(t) != nil })
			for range 20 { // what a replica lacked was in memory: without the restart, two of three reads are old for ever
				if n := c.value(t, "a", false); n != "1" {
					t.Errorf("the counter is %s, want 1", n)
				}
			}
		})
	}
}

// TestCosmosRestarts restarts after a write over https. What an earlier session has written is there too.
func TestCosmosRestarts(t *testing.T) {
	t.Parallel()
	e := emulator.Run(t)
	orders := makeContainer(t, e, nil)
	idle := dialOnce(t, e)
	key := azcosmos.NewPartitionKeyString("a")
	if _, err := orders.CreateItem(t.Context(), key, []byte(`{"id":"1","pk":"a"}`), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Fail(emulator.Fault{Do: emulator.DoRestart, Operations: []string{"CreateDocument"},
		Times: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := orders.CreateItem(t.Context(), key, []byte(`{"id":"2","pk":"a"}`), nil); err == nil {
		t.Error("the write has a response")
	}
	if _, err := idle.responses.ReadByte(); err == nil {
		t.Error("the connection to DynamoDB is open")
	}
	for _, id := range []string{"1", "2"} {
		if _, err := orders.ReadItem(t.Context(), key, id, nil); err != nil {
			t.Errorf("item %s: %v", id, err)
		}
	}
}

// TestAStreamContinuesAfterARestart reads a stream with iterators from before the restart.
func TestAStreamContinuesAfterARestart(t *testing.T) {
	t.Parallel()
	e, c, streams, arn := followed(t)
	put(t, c, "followed", text("pk", "a", "v", "1"))
	stream, err := streams.DescribeStream(t.Context(), &dynamodbstreams.DescribeStreamInput{StreamArn: arn})
	if err != nil {
		t.Fatal(err)
	}
	var iterators []*string
	for _, shard := range stream.StreamDescription.Shards {
		at, err := streams.GetShardIterator(t.Context(), &dynamodbstreams.GetShardIteratorInput{StreamArn: arn,
			ShardId: shard.ShardId, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon})
		if err != nil {
			t.Fatal(err)
		}
		iterators = append(iterators, at.ShardIterator)
	}
	if _, err := e.Fail(emulator.Fault{Do: emulator.DoRestart, Operations: []string{"PutItem"}, Times: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("followed"),
		Item: text("pk", "a", "v", "2")}); err == nil {
		t.Error("the write has a response")
	}
	delivered, streams := 0, dynamodbstreams.NewFromConfig(e.AWSConfig()) // the other's idle connections are cut
	for _, at := range iterators {
		delivered += readThrice(t, streams, at)
	}
	if delivered != 2 {
		t.Errorf("%d records, want 2", delivered)
	}
}
