package emulator_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/smithy-go"

	"github.com/tabletop-db/tabletop/emulator"
)

var threeRegions = []string{"us-east-1", "eu-west-1", "us-west-2"}

// world is an emulator with clients in three regions.
type world struct {
	emulator *emulator.Emulator
	in       map[string]*dynamodb.Client // by region
}

func newWorld(t testing.TB, options ...emulator.Option) *world {
	t.Helper()
	return worldOf(emulator.Run(t, append([]emulator.Option{emulator.WithManualClock(kinesisNoon),
		emulator.WithRegions(threeRegions...)}, options...)...))
}

func worldOf(e *emulator.Emulator) *world {
	w := &world{e, map[string]*dynamodb.Client{}}
	for _, region := range threeRegions {
		w.in[region] = dynamodb.NewFromConfig(e.AWSConfig(), func(o *dynamodb.Options) { o.Region = region })
	}
	return w
}

// createTable creates the table "orders", on demand, in us-east-1.
func (w *world) createTable(t testing.TB, change ...func(*dynamodb.CreateTableInput)) {
	t.Helper()
	in := &dynamodb.CreateTableInput{TableName: aws.String("orders"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("id"), KeyType: types.KeyTypeHash}}}
	for _, fn := range change {
		fn(in)
	}
	if _, err := w.in["us-east-1"].CreateTable(t.Context(), in); err != nil {
		t.Fatal(err)
	}
}

// addReplica adds a replica of "orders" by a request in a region.
func (w *world) addReplica(t testing.TB, from, to string) {
	t.Helper()
	if _, err := w.in[from].UpdateTable(t.Context(), addingReplica(to)); err != nil {
		t.Fatal(err)
	}
}

func addingReplica(region string) *dynamodb.UpdateTableInput {
	return updatingReplicas(types.ReplicationGroupUpdate{
		Create: &types.CreateReplicationGroupMemberAction{RegionName: aws.String(region)}})
}

func removingReplica(region string) *dynamodb.UpdateTableInput {
	return updatingReplicas(types.ReplicationGroupUpdate{
		Delete: &types.DeleteReplicationGroupMemberAction{RegionName: aws.String(region)}})
}

func updatingReplicas(updates ...types.ReplicationGroupUpdate) *dynamodb.UpdateTableInput {
	return &dynamodb.UpdateTableInput{TableName: aws.String("orders"), ReplicaUpdates: updates}
}

func valueItem(id, value string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id},
		"value": &types.AttributeValueMemberS{Value: value}}
}

func (w *world) put(t testing.TB, region, id, value string) {
	t.Helper()
	if _, err := w.in[region].PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("orders"),
		Item: valueItem(id, value)}); err != nil {
		t.Fatal(err)
	}
}

func (w *world) remove(t testing.TB, region, id string) {
	t.Helper()
	if _, err := w.in[region].DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String("orders"),
		Key: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}}}); err != nil {
		t.Fatal(err)
	}
}

// items returns the values of the items of "orders" in a region, by id.
func (w *world) items(t testing.TB, region string) map[string]string {
	t.Helper()
	out, err := w.in[region].Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("orders"),
		ConsistentRead: aws.Bool(true)})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, it := range out.Items {
		value, _ := it["value"].(*types.AttributeValueMemberS)
		if value == nil {
			value = &types.AttributeValueMemberS{}
		}
		all[it["id"].(*types.AttributeValueMemberS).Value] = value.Value
	}
	return all
}

func (w *world) wantItems(t testing.TB, want map[string]string, regions ...string) {
	t.Helper()
	for _, region := range regions {
		if got := w.items(t, region); !reflect.DeepEqual(got, want) {
			t.Errorf("%s has %v, want %v", region, got, want)
		}
	}
}

func (w *world) describe(t testing.TB, region string) *types.TableDescription {
	t.Helper()
	out, err := w.in[region].DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("orders")})
	if err != nil {
		t.Fatal(err)
	}
	return out.Table
}

// replicasOf returns the regions of the replicas in a description, with their statuses.
func replicasOf(d *types.TableDescription) (all []string) {
	for _, r := range d.Replicas {
		all = append(all, *r.RegionName+" "+string(r.ReplicaStatus))
	}
	return all
}

func wantError(t testing.TB, err error, code, message string) {
	t.Helper()
	var e smithy.APIError
	if !errors.As(err, &e) || e.ErrorCode() != code || !strings.Contains(e.ErrorMessage(), message) {
		t.Errorf("%v, want %s: %s", err, code, message)
	}
}

func throughputOf(reads, writes int64) *types.ProvisionedThroughput {
	return &types.ProvisionedThroughput{ReadCapacityUnits: &reads, WriteCapacityUnits: &writes}
}

// streamEvents returns the names of the events in a stream.
func streamEvents(t *testing.T, e *emulator.Emulator, region, arn string) (names []string) {
	t.Helper()
	c := dynamodbstreams.NewFromConfig(e.AWSConfig(), func(o *dynamodbstreams.Options) { o.Region = region })
	for _, r := range readStream(t, c, &arn) {
		name := string(r.EventName)
		if r.UserIdentity != nil {
			name += " by the service"
		}
		names = append(names, name)
	}
	return names
}
