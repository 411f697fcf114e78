package emulator_test

import (
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	cwtypes "github.com/aws/aws-sdk-go-v2/service/cloudwatch/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
	"github.com/tabletop-db/tabletop/emulator/console"
	"github.com/tabletop-db/tabletop/internal/model/cost"
)

// metric returns the sum and the number of samples of a metric of "orders" in a region, over the two hours around noon.
func (w *world) metric(t testing.TB, region, name string, dimensions ...string) (sum, samples float64) {
	t.Helper()
	c := cloudwatch.NewFromConfig(w.emulator.AWSConfig(), func(o *cloudwatch.Options) { o.Region = region })
	in := &cloudwatch.GetMetricStatisticsInput{Namespace: aws.String("AWS/DynamoDB"), MetricName: &name,
		StartTime: aws.Time(kinesisNoon.Add(-time.Hour)), EndTime: aws.Time(kinesisNoon.Add(time.Hour)),
		Period: aws.Int32(7200), Statistics: []cwtypes.Statistic{cwtypes.StatisticSum, cwtypes.StatisticSampleCount},
		Dimensions: []cwtypes.Dimension{{Name: aws.String("TableName"), Value: aws.String("orders")}}}
	for i := 0; i < len(dimensions); i += 2 {
		in.Dimensions = append(in.Dimensions, cwtypes.Dimension{Name: &dimensions[i], Value: &dimensions[i+1]})
	}
	out, err := c.GetMetricStatistics(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range out.Datapoints {
		sum, samples = sum+*p.Sum, samples+*p.SampleCount
	}
	return sum, samples
}

func (w *world) advance(t testing.TB, d time.Duration) {
	t.Helper()
	if err := w.emulator.Advance(d); err != nil {
		t.Fatal(err)
	}
}

// withIndex adds the global index "by-value" to the table.
func withIndex(in *dynamodb.CreateTableInput) {
	in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{
		AttributeName: aws.String("value"), AttributeType: types.ScalarAttributeTypeS})
	in.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{{IndexName: aws.String("by-value"),
		KeySchema:  []types.KeySchemaElement{{AttributeName: aws.String("value"), KeyType: types.KeyTypeHash}},
		Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}}}
}

// TestReplicatedWritesConsumeCapacity checks that a write consumes capacity in every region, in the table and in its
// indexes, that the latency is measured in the region that was written, and what all of it costs.
func TestReplicatedWritesConsumeCapacity(t *testing.T) {
	t.Parallel()
	w := newWorld(t, console.Option())
	w.createTable(t, withIndex)
	w.put(t, "us-east-1", "old", "1")
	w.addReplica(t, "us-east-1", "eu-west-1")
	w.put(t, "us-east-1", "a", "1")
	w.put(t, "eu-west-1", "b", "2")
	w.put(t, "eu-west-1", "b", "2") // which its index does not notice
	for region, want := range map[string][2]float64{"us-east-1": {4, 3}, "eu-west-1": {3, 2}} {
		table, _ := w.metric(t, region, "ConsumedWriteCapacityUnits")
		index, _ := w.metric(t, region, "ConsumedWriteCapacityUnits", "GlobalSecondaryIndexName", "by-value")
		if got := [2]float64{table, index}; got != want {
			t.Errorf("%s consumed %v units in the table and the index; want %v", region, got, want)
		}
	}
	var bill cost.Bill
	get(t, w.emulator.DynamoDBURL()+"/_tabletop/cost?gross=true", &bill)
	got := map[string]string{}
	for _, l := range bill.Lines {
		if l.Kind != cost.TransferOut {
			got[l.Table+" "+string(l.Kind)] = l.Quantity.String() + " for $" + l.Amount.String()
		}
	}
	want := map[string]string{
		"orders replicated-write-request-units":            "3 for $0.000001875",
		"orders write-request-units":                       "4 for $0.0000025", // one before there were replicas
		"@eu-west-1:orders replicated-write-request-units": "3 for $0.000001875",
		"@eu-west-1:orders write-request-units":            "2 for $0.00000125",
		"@eu-west-1:orders restored-gb":                    "0.000000020489 for $0.000000003073",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the bill is %v; want %v", got, want)
	}
}

// TestDeletionsByTimeToLiveCostInReplicas checks that the deletion of an expired item consumes nothing in the region
// that deletes it, and a replicated write in the others.
func TestDeletionsByTimeToLiveCostInReplicas(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.createTable(t)
	w.addReplica(t, "us-east-1", "eu-west-1")
	if _, err := w.in["us-east-1"].UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{
		TableName: aws.String("orders"), TimeToLiveSpecification: &types.TimeToLiveSpecification{
			AttributeName: aws.String("expires"), Enabled: aws.Bool(true)}}); err != nil {
		t.Fatal(err)
	}
	item := valueItem("a", "1")
	item["expires"] = &types.AttributeValueMemberN{Value: strconv.FormatInt(kinesisNoon.Unix()+60, 10)}
	if _, err := w.in["us-east-1"].PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("orders"),
		Item: item}); err != nil {
		t.Fatal(err)
	}
	w.advance(t, 10*time.Minute)
	w.wantItems(t, map[string]string{}, "us-east-1", "eu-west-1")
	var all float64
	for _, region := range threeRegions[:2] {
		consumed, _ := w.metric(t, region, "ConsumedWriteCapacityUnits")
		all += consumed
	}
	if all != 3 { // the write in both, and the deletion in one
		t.Errorf("both regions consumed %v units; want 3", all)
	}
}

// TestReplicationLatency checks that the latency of replication is measured in the region that was written.
func TestReplicationLatency(t *testing.T) {
	t.Parallel()
	w := newWorld(t, emulator.WithLikeCloud(emulator.Lag))
	w.createTable(t)
	w.addReplica(t, "us-east-1", "eu-west-1")
	w.put(t, "us-east-1", "a", "1")
	w.advance(t, 10*time.Second)
	if sum, _ := w.metric(t, "us-east-1", "ReplicationLatency", "ReceivingRegion", "eu-west-1"); sum < 1 || sum > 5000 {
		t.Errorf("the latency is %v ms", sum)
	}
	if sum, _ := w.metric(t, "eu-west-1", "ReplicationLatency", "ReceivingRegion", "us-east-1"); sum != 0 {
		t.Errorf("eu-west-1 has a latency of %v ms, and nothing was written there", sum)
	}
}

// limited makes a table admit one write unit per second.
func limited(in *dynamodb.CreateTableInput) {
	in.OnDemandThroughput = &types.OnDemandThroughput{MaxWriteRequestUnits: aws.Int64(1)}
}

// TestReplicatedWritesWaitForCapacity checks that a write stays in the queue while a replica has no capacity left, and
// that the replica counts it as throttled.
func TestReplicatedWritesWaitForCapacity(t *testing.T) {
	t.Parallel()
	w := newWorld(t, emulator.WithLikeCloud(emulator.Lag, emulator.Throttling))
	w.createTable(t, limited)
	w.addReplica(t, "us-east-1", "eu-west-1")
	w.put(t, "eu-west-1", "large", strings.Repeat("x", 50_000))
	w.put(t, "us-east-1", "a", "1")
	w.advance(t, 10*time.Second)
	if _, ok := w.items(t, "eu-west-1")["a"]; ok {
		t.Error("the replica has no capacity, and got the item")
	}
	if throttled, _ := w.metric(t, "eu-west-1", "WriteThrottleEvents"); throttled == 0 {
		t.Error("the replica throttled nothing")
	}
	w.advance(t, 5*time.Minute)
	if got := w.items(t, "eu-west-1")["a"]; got != "1" {
		t.Errorf("the replica has %q", got)
	}
	if ms, _ := w.metric(t, "us-east-1", "ReplicationLatency", "ReceivingRegion", "eu-west-1"); ms < 10_000 {
		t.Errorf("the latency is %v ms", ms)
	}
	if consumed, _ := w.metric(t, "eu-west-1", "ConsumedWriteCapacityUnits"); consumed != 50 {
		t.Errorf("the replica consumed %v units; want 50", consumed)
	}
}

// TestReplicatedWritesTakeCapacity checks that without lag a replicated write takes the capacity that the region's own
// writes then lack.
func TestReplicatedWritesTakeCapacity(t *testing.T) {
	t.Parallel()
	w := newWorld(t, emulator.WithLikeCloud(emulator.Throttling))
	w.createTable(t, limited)
	w.addReplica(t, "us-east-1", "eu-west-1")
	w.put(t, "eu-west-1", "large", strings.Repeat("x", 50_000))
	_, err := w.in["us-east-1"].PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("orders"),
		Item: valueItem("a", "1")}, once)
	wantError(t, err, "ThrottlingException", "")
}

// TestStrongReplicasHaveNoLatency checks that replicas with strong consistency consume capacity, and have no
// ReplicationLatency.
func TestStrongReplicasHaveNoLatency(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.createTable(t)
	in := updatingReplicas(addingReplica("eu-west-1").ReplicaUpdates[0], addingReplica("us-west-2").ReplicaUpdates[0])
	in.MultiRegionConsistency = types.MultiRegionConsistencyStrong
	if _, err := w.in["us-east-1"].UpdateTable(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	w.put(t, "us-east-1", "a", "1")
	for _, region := range threeRegions {
		if consumed, _ := w.metric(t, region, "ConsumedWriteCapacityUnits"); consumed != 1 {
			t.Errorf("%s consumed %v units; want 1", region, consumed)
		}
	}
	if _, n := w.metric(t, "us-east-1", "ReplicationLatency", "ReceivingRegion", "eu-west-1"); n != 0 {
		t.Errorf("there are %v samples of the latency", n)
	}
}
