package emulator_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// addIndex adds a provisioned index to the table.
func (w *world) addIndex(t testing.TB, index string) error {
	t.Helper()
	_, err := w.in["us-east-1"].UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String("orders"),
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("total"),
			AttributeType: types.ScalarAttributeTypeN}},
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{
			Create: &types.CreateGlobalSecondaryIndexAction{IndexName: &index,
				KeySchema:  []types.KeySchemaElement{{AttributeName: aws.String("total"), KeyType: types.KeyTypeHash}},
				Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly},
				ProvisionedThroughput: &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(1),
					WriteCapacityUnits: aws.Int64(3)},
			}}}}, once)
	return err
}

// TestNewIndexesOfReplicasAreScaled checks that the writes of a new index are scaled in all regions, also after its
// deletion, and that an index cannot be added while the writes of another one are not scaled (ack-api-quirks
// DDB-TABLE-291, DDB-TABLE-322 and DDB-TABLE-323).
func TestNewIndexesOfReplicasAreScaled(t *testing.T) {
	t.Parallel()
	s, w := scaledReplicas(t)
	if err := w.addIndex(t, "by-total"); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"orders Write": "half", "by-customer Write": "index",
		"by-total Write": "DynamoDBWriteCapacityUtilization:table/orders/index/by-total"}
	s.wantPolicies(want, "us-east-1", "eu-west-1")
	out, err := w.in["eu-west-1"].DescribeTableReplicaAutoScaling(t.Context(),
		&dynamodb.DescribeTableReplicaAutoScalingInput{TableName: aws.String("orders")})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range out.TableAutoScalingDescription.Replicas[1].GlobalSecondaryIndexes {
		writes := scalingEnabled(2, 40, want["by-total Write"], 50)
		if *x.IndexName == "by-total" && !(reflect.DeepEqual(x.ProvisionedWriteCapacityAutoScalingSettings, writes) &&
			reflect.DeepEqual(x.ProvisionedReadCapacityAutoScalingSettings, scalingDisabled)) {
			t.Errorf("the index is scaled as %+v and %+v", x.ProvisionedWriteCapacityAutoScalingSettings,
				x.ProvisionedReadCapacityAutoScalingSettings)
		}
	}
	_, err = w.in["us-east-1"].UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String("orders"),
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{
			Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: aws.String("by-total")}}}})
	if err != nil {
		t.Fatal(err)
	}
	s.wantPolicies(want, "us-east-1", "eu-west-1")

	_, err = w.updateScaling(t, func(in *dynamodb.UpdateTableReplicaAutoScalingInput) {
		in.GlobalSecondaryIndexUpdates = []types.GlobalSecondaryIndexAutoScalingUpdate{{
			IndexName: aws.String("by-customer"), ProvisionedWriteCapacityAutoScalingUpdate: endScaling}}
	})
	if err != nil {
		t.Fatal(err)
	}
	wantError(t, w.addIndex(t, "by-sum"), "ValidationException",
		"GSI write capacity should either be Pay-Per-Request or AutoScaled.")
}

// TestIndexesInCreationAreNotDescribedAsScaled checks that an index that is being created has no auto scaling to
// describe or to change (ack-api-quirks DDB-TABLE-323).
func TestIndexesInCreationAreNotDescribedAsScaled(t *testing.T) {
	t.Parallel()
	s := scaledTable(t, emulator.WithRegions(threeRegions...), emulator.WithLikeCloud(emulator.States))
	w := worldOf(s.Emulator)
	s.advance(time.Minute)
	s.register(2, 40)
	s.track(nil)
	s.scaleIndex()
	w.addReplica(t, "us-east-1", "eu-west-1")
	s.advance(time.Minute)
	if err := w.addIndex(t, "by-total"); err != nil {
		t.Fatal(err)
	}
	change := func() error {
		_, err := w.updateScaling(t, func(in *dynamodb.UpdateTableReplicaAutoScalingInput) {
			in.GlobalSecondaryIndexUpdates = []types.GlobalSecondaryIndexAutoScalingUpdate{{
				IndexName: aws.String("by-total"), ProvisionedWriteCapacityAutoScalingUpdate: settingsUpdate(1, 10, 70)}}
		})
		return err
	}
	if got := w.describedIndexes(t); !reflect.DeepEqual(got, []string{"by-customer"}) {
		t.Errorf("at first the indexes %v are described", got)
	}
	wantError(t, change(), "ResourceNotFoundException",
		"because the global secondary indexes with names: ‘[by-total]’ do not exist.")
	for i := 0; i < 60 && len(w.describedIndexes(t)) == 1; i++ {
		s.advance(10 * time.Second)
	}
	if got := w.describedIndexes(t); !reflect.DeepEqual(got, []string{"by-customer", "by-total"}) {
		t.Errorf("at last the indexes %v are described", got)
	}
	if err := change(); err != nil {
		t.Error(err)
	}
}

// describedIndexes returns the indexes whose auto scaling in the first region is described.
func (w *world) describedIndexes(t testing.TB) (names []string) {
	t.Helper()
	out, err := w.in["us-east-1"].DescribeTableReplicaAutoScaling(t.Context(),
		&dynamodb.DescribeTableReplicaAutoScalingInput{TableName: aws.String("orders")})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range out.TableAutoScalingDescription.Replicas[0].GlobalSecondaryIndexes {
		names = append(names, *x.IndexName)
	}
	return names
}
