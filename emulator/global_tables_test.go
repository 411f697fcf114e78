package emulator_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// TestRegionsAreKeptApart checks that a request sees the tables of its region, where that is named, and those of
// us-east-1 otherwise.
func TestRegionsAreKeptApart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.createTable(t)
	w.in["ap-south-1"] = dynamodb.NewFromConfig(w.emulator.AWSConfig(), func(o *dynamodb.Options) {
		o.Region = "ap-south-1"
	})
	for region, want := range map[string]int{"us-east-1": 1, "eu-west-1": 0, "ap-south-1": 1} {
		out, err := w.in[region].ListTables(t.Context(), nil)
		if err != nil || len(out.TableNames) != want {
			t.Errorf("%s has the tables %v, want %d (%v)", region, out.TableNames, want, err)
		}
	}
	if _, err := emulator.Start(emulator.WithRegions("Frankfurt")); !errors.As(err, new(*emulator.RegionError)) {
		t.Errorf("the region Frankfurt is not refused: %v", err)
	}
}

// TestReplicasHaveAllItems adds replicas to a table with items, writes in every region, and removes a replica again.
func TestReplicasHaveAllItems(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.createTable(t)
	for i := range 3000 { // more than one chunk
		w.put(t, "us-east-1", fmt.Sprint(i), "old")
	}
	w.addReplica(t, "us-east-1", "eu-west-1")
	w.addReplica(t, "eu-west-1", "us-west-2")
	want := w.items(t, "us-east-1")
	w.put(t, "us-west-2", "a", "1")
	w.put(t, "eu-west-1", "a", "2")
	w.put(t, "us-east-1", "b", "3")
	w.remove(t, "eu-west-1", "7")
	want["a"], want["b"] = "2", "3"
	delete(want, "7")
	w.wantItems(t, want, threeRegions...)
	if d := w.describe(t, "us-west-2"); *d.ItemCount != int64(len(want)) {
		t.Errorf("us-west-2 counts %d items, want %d", *d.ItemCount, len(want))
	}
	if _, err := w.in["us-east-1"].UpdateTable(t.Context(), removingReplica("us-west-2")); err != nil {
		t.Fatal(err)
	}
	w.put(t, "us-east-1", "c", "4")
	want["c"] = "4"
	w.wantItems(t, want, "us-east-1", "eu-west-1")
	_, err := w.in["us-west-2"].DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("orders")})
	wantError(t, err, "ResourceNotFoundException", "orders not found")
}

// TestReplicasAreDescribed checks what the service's answers were recorded to have (ack-api-quirks DDB-TABLE-221,
// DDB-TABLE-226, DDB-TABLE-229, DDB-TABLE-231 and DDB-TABLE-265, 2026-10-09).
func TestReplicasAreDescribed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.createTable(t)
	out, err := w.in["us-east-1"].UpdateTable(t.Context(), addingReplica("eu-west-1"))
	if err != nil {
		t.Fatal(err)
	}
	d := out.TableDescription
	if d.TableStatus != types.TableStatusUpdating || d.Replicas == nil || len(d.Replicas) > 0 ||
		d.StreamSpecification.StreamViewType != types.StreamViewTypeNewAndOldImages || *d.GlobalTableVersion != "2019.11.21" {
		t.Errorf("the answer is %+v", d)
	}
	w.addReplica(t, "eu-west-1", "us-west-2")
	for region, want := range map[string][]string{"us-east-1": {"eu-west-1 ACTIVE", "us-west-2 ACTIVE"},
		"eu-west-1": {"us-east-1 ACTIVE", "us-west-2 ACTIVE"}, "us-west-2": {"us-east-1 ACTIVE", "eu-west-1 ACTIVE"}} {
		d := w.describe(t, region)
		if got := replicasOf(d); !reflect.DeepEqual(got, want) || d.TableStatus != types.TableStatusActive ||
			d.GlobalTableSettingsReplicationMode != "ENABLED_WITH_OVERRIDES" || d.MultiRegionConsistency != "" {
			t.Errorf("%s has %v, want %v: %+v", region, got, want, d)
		}
		if !strings.Contains(*d.TableArn, ":"+region+":") || !strings.HasPrefix(*d.LatestStreamArn, *d.TableArn) {
			t.Errorf("%s has the ARNs %s and %s", region, *d.TableArn, *d.LatestStreamArn)
		}
	}
	for _, region := range []string{"us-west-2", "eu-west-1"} {
		if _, err := w.in["us-east-1"].UpdateTable(t.Context(), removingReplica(region)); err != nil {
			t.Fatal(err)
		}
	}
	if d := w.describe(t, "us-east-1"); d.Replicas != nil || d.GlobalTableVersion != nil || d.LatestStreamArn == nil ||
		d.GlobalTableSettingsReplicationMode != "" {
		t.Errorf("the table without replicas is %+v", d)
	}
}

// TestStreamsOfReplicas checks that every replica's stream has all writes, and that only the region where time to live
// deleted an item says so.
func TestStreamsOfReplicas(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.createTable(t)
	w.addReplica(t, "us-east-1", "eu-west-1")
	if _, err := w.in["eu-west-1"].UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{
		TableName: aws.String("orders"), TimeToLiveSpecification: &types.TimeToLiveSpecification{
			AttributeName: aws.String("until"), Enabled: aws.Bool(true)}}); err != nil {
		t.Fatal(err)
	}
	it := valueItem("a", "1")
	it["until"] = &types.AttributeValueMemberN{Value: fmt.Sprint(kinesisNoon.Unix() + 60)}
	if _, err := w.in["us-east-1"].PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("orders"),
		Item: it}); err != nil {
		t.Fatal(err)
	}
	if err := w.emulator.Advance(time.Hour); err != nil {
		t.Fatal(err)
	}
	w.wantItems(t, map[string]string{}, "us-east-1", "eu-west-1")
	for region, want := range map[string][]string{"us-east-1": {"INSERT", "REMOVE by the service"},
		"eu-west-1": {"INSERT", "REMOVE"}} {
		if got := streamEvents(t, w.emulator, region, *w.describe(t, region).LatestStreamArn); !reflect.DeepEqual(got, want) {
			t.Errorf("the stream of %s has %v, want %v", region, got, want)
		}
	}
}

// TestReplicaRules checks what is refused, with the service's messages (ack-api-quirks DDB-TABLE-202 to DDB-TABLE-305,
// 2026-10-09).
func TestReplicaRules(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.createTable(t)
	update := func(code, message string, in *dynamodb.UpdateTableInput) {
		t.Helper()
		_, err := w.in["us-east-1"].UpdateTable(t.Context(), in)
		wantError(t, err, code, message)
	}
	create := func(regions ...string) (all []types.ReplicationGroupUpdate) {
		for _, region := range regions {
			all = append(all, addingReplica(region).ReplicaUpdates...)
		}
		return all
	}
	const invalid = "ValidationException"
	update(invalid, "Cannot add or delete the local region through ReplicaUpdates.", addingReplica("us-east-1"))
	update(invalid, "Region us-fake-1 is not supported. The latest version of global tables are only supported in the "+
		"following regions: [eu-west-1, us-east-1, us-west-2]", addingReplica("us-fake-1"))
	update(invalid, "start it with --regions=ap-south-1", addingReplica("ap-south-1"))
	update(invalid, "with more than one create or delete replica actions not allowed",
		updatingReplicas(create("eu-west-1", "us-west-2")...))
	update(invalid, "There are no actions specified", updatingReplicas(types.ReplicationGroupUpdate{}))
	update(invalid, "There are no actions specified", updatingReplicas(types.ReplicationGroupUpdate{
		Update: &types.UpdateReplicationGroupMemberAction{RegionName: aws.String("eu-west-1")}}))
	update(invalid, "more than one type of replica actions", updatingReplicas(types.ReplicationGroupUpdate{
		Create: create("eu-west-1")[0].Create, Delete: removingReplica("eu-west-1").ReplicaUpdates[0].Delete}))
	update(invalid, "were not part of the global table. Please retry the request without these replicas: [eu-west-1].",
		removingReplica("eu-west-1"))
	protected := addingReplica("eu-west-1")
	protected.DeletionProtectionEnabled = aws.Bool(true)
	update(invalid, "Replica modification must be the only operation in the request", protected)

	w.addReplica(t, "us-east-1", "eu-west-1")
	w.addReplica(t, "eu-west-1", "us-west-2")
	update(invalid, "because one or more replicas already existed as tables", addingReplica("eu-west-1"))
	update(invalid, "Disabling Stream is not allowed for a Global Table replica.", &dynamodb.UpdateTableInput{
		TableName:           aws.String("orders"),
		StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(false)}})
	const source = "Replica cannot be deleted because it has acted as a source region"
	update(invalid, source, removingReplica("eu-west-1"))
	_, err := w.in["us-east-1"].DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: aws.String("orders")})
	wantError(t, err, invalid, source)
	if _, err := w.in["us-west-2"].UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String("orders"),
		DeletionProtectionEnabled: aws.Bool(true)}); err != nil {
		t.Fatal(err)
	}
	update(invalid, "Cannot delete table orders in region us-west-2 because it has deletion protection enabled.",
		removingReplica("us-west-2"))
	if d := w.describe(t, "us-east-1"); *d.DeletionProtectionEnabled {
		t.Error("deletion protection is that of another region")
	}
	if err := w.emulator.Advance(24 * time.Hour); err != nil {
		t.Fatal(err)
	}
	if _, err := w.in["us-east-1"].DeleteTable(t.Context(), &dynamodb.DeleteTableInput{
		TableName: aws.String("orders")}); err != nil {
		t.Fatal(err)
	}
	if got := replicasOf(w.describe(t, "eu-west-1")); !reflect.DeepEqual(got, []string{"us-west-2 ACTIVE"}) {
		t.Errorf("eu-west-1 has the replicas %v after another one was deleted", got)
	}
}

// TestSettingsOfReplicas checks which settings all replicas have in common.
func TestSettingsOfReplicas(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.createTable(t)
	w.put(t, "us-east-1", "a", "x")
	w.addReplica(t, "us-east-1", "eu-west-1")
	if _, err := w.in["eu-west-1"].UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String("orders"),
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("value"), AttributeType: types.ScalarAttributeTypeS}},
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Create: &types.CreateGlobalSecondaryIndexAction{
			IndexName:  aws.String("by-value"),
			KeySchema:  []types.KeySchemaElement{{AttributeName: aws.String("value"), KeyType: types.KeyTypeHash}},
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}}}}}); err != nil {
		t.Fatal(err)
	}
	w.put(t, "us-east-1", "b", "x")
	for _, region := range []string{"us-east-1", "eu-west-1"} {
		out, err := w.in[region].Query(t.Context(), &dynamodb.QueryInput{TableName: aws.String("orders"),
			IndexName: aws.String("by-value"), KeyConditionExpression: aws.String("#v = :v"),
			ExpressionAttributeNames:  map[string]string{"#v": "value"},
			ExpressionAttributeValues: map[string]types.AttributeValue{":v": &types.AttributeValueMemberS{Value: "x"}}})
		if err != nil || out.Count != 2 {
			t.Errorf("the index in %s has %d items, want 2 (%v)", region, out.Count, err)
		}
	}
	if _, err := w.in["us-east-1"].UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String("orders"),
		BillingMode: types.BillingModeProvisioned, ProvisionedThroughput: throughputOf(5, 6),
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Update: &types.UpdateGlobalSecondaryIndexAction{
			IndexName: aws.String("by-value"), ProvisionedThroughput: throughputOf(2, 3)}}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.in["us-east-1"].UpdateTable(t.Context(), updatingReplicas(types.ReplicationGroupUpdate{
		Update: &types.UpdateReplicationGroupMemberAction{RegionName: aws.String("eu-west-1"),
			ProvisionedThroughputOverride: &types.ProvisionedThroughputOverride{ReadCapacityUnits: aws.Int64(9)},
			TableClassOverride:            types.TableClassStandardInfrequentAccess}})); err != nil {
		t.Fatal(err)
	}
	if _, err := w.in["us-east-1"].UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String("orders"),
		ProvisionedThroughput: throughputOf(7, 8),
	}); err != nil {
		t.Fatal(err)
	}
	here, there := w.describe(t, "us-east-1"), w.describe(t, "eu-west-1")
	seen := here.Replicas[0]
	if got := [...]int64{*here.ProvisionedThroughput.ReadCapacityUnits, *here.ProvisionedThroughput.WriteCapacityUnits,
		*there.ProvisionedThroughput.ReadCapacityUnits, *there.ProvisionedThroughput.WriteCapacityUnits,
		*there.GlobalSecondaryIndexes[0].ProvisionedThroughput.ReadCapacityUnits,
		*seen.ProvisionedThroughputOverride.ReadCapacityUnits}; got != [...]int64{7, 8, 9, 8, 2, 9} {
		t.Errorf("the capacities are %v", got)
	}
	if there.TableClassSummary == nil || here.TableClassSummary != nil ||
		seen.ReplicaTableClassSummary.TableClass != types.TableClassStandardInfrequentAccess {
		t.Errorf("the classes are %+v and %+v", here.TableClassSummary, there.TableClassSummary)
	}
}
