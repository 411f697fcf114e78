package emulator_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// makingStrong makes "orders" a global table with multi-Region strong consistency.
func makingStrong(witness string, regions ...string) *dynamodb.UpdateTableInput {
	in := updatingReplicas()
	in.MultiRegionConsistency = types.MultiRegionConsistencyStrong
	for _, region := range regions {
		in.ReplicaUpdates = append(in.ReplicaUpdates, addingReplica(region).ReplicaUpdates...)
	}
	if witness != "" {
		in.GlobalTableWitnessUpdates = []types.GlobalTableWitnessGroupUpdate{{
			Create: &types.CreateGlobalTableWitnessGroupMemberAction{RegionName: aws.String(witness)}}}
	}
	return in
}

// TestStrongReplicas checks that with multi-Region strong consistency every region reads the latest write and decides
// by it, also where everything else lags, and how such a table begins and ends (ack-api-quirks DDB-TABLE-257 to
// DDB-TABLE-261, 2026-10-09).
func TestStrongReplicas(t *testing.T) {
	t.Parallel()
	w := newWorld(t, emulator.WithLikeCloud(emulator.Lag))
	w.createTable(t)
	if _, err := w.in["us-east-1"].UpdateTable(t.Context(), makingStrong("us-east-2", "eu-west-1")); err != nil {
		t.Fatal(err)
	}
	for region, want := range map[string]string{"us-east-1": "eu-west-1 ACTIVE", "eu-west-1": "us-east-1 ACTIVE"} {
		d := w.describe(t, region)
		if d.MultiRegionConsistency != types.MultiRegionConsistencyStrong || len(d.GlobalTableWitnesses) != 1 ||
			*d.GlobalTableWitnesses[0].RegionName != "us-east-2" || !reflect.DeepEqual(replicasOf(d), []string{want}) {
			t.Errorf("%s is described as %+v", region, d)
		}
	}
	for i := range 10 {
		here, there := threeRegions[i%2], threeRegions[1-i%2]
		w.put(t, here, "a", fmt.Sprint(i))
		w.wantItems(t, map[string]string{"a": fmt.Sprint(i)}, there)
	}
	_, err := w.in["us-east-1"].PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("orders"),
		Item: valueItem("a", "x"), ConditionExpression: aws.String("attribute_not_exists(id)")})
	wantError(t, err, "ConditionalCheckFailedException", "")

	const only = "Deletion of only one table replica is not supported for global tables with MultiRegionConsistency set to STRONG."
	_, err = w.in["eu-west-1"].DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: aws.String("orders")})
	wantError(t, err, "ValidationException", only)
	end := removingReplica("eu-west-1")
	_, err = w.in["us-east-1"].UpdateTable(t.Context(), end)
	wantError(t, err, "ValidationException", "Update table delete operation does not include all witnesses.")
	end.GlobalTableWitnessUpdates = []types.GlobalTableWitnessGroupUpdate{{
		Delete: &types.DeleteGlobalTableWitnessGroupMemberAction{RegionName: aws.String("us-east-2")}}}
	if _, err := w.in["us-east-1"].UpdateTable(t.Context(), end); err != nil {
		t.Fatal(err)
	}
	if d := w.describe(t, "us-east-1"); d.Replicas != nil || d.MultiRegionConsistency != "" ||
		d.GlobalTableWitnesses != nil {
		t.Errorf("the table without replicas is %+v", d)
	}
	w.wantItems(t, map[string]string{"a": "9"}, "us-east-1")
}

// TestStrongRules checks what is refused with multi-Region strong consistency.
func TestStrongRules(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.createTable(t)
	const invalid = "ValidationException"
	update := func(message string, in *dynamodb.UpdateTableInput) {
		t.Helper()
		_, err := w.in["us-east-1"].UpdateTable(t.Context(), in)
		wantError(t, err, invalid, message)
	}
	update("Unsupported replica count for global tables", makingStrong("", "eu-west-1"))
	update("Unsupported Region(s) specified for global tables with MultiRegionConsistency set to STRONG: [us-west-1].",
		makingStrong("us-west-1", "eu-west-1"))
	update("Cannot target multiple regions with the same action", makingStrong("eu-west-1", "eu-west-1"))
	update("Cannot add a witness in the same region as an existing replica", makingStrong("us-east-1", "eu-west-1"))
	eventual := makingStrong("us-east-2", "eu-west-1")
	eventual.MultiRegionConsistency = types.MultiRegionConsistencyEventual
	update("MultiRegionConsistency must be set as STRONG when GlobalTableWitnessUpdates parameter is present.", eventual)
	w.put(t, "us-east-1", "a", "1")
	update("must be empty", makingStrong("", "eu-west-1", "us-west-2"))
	w.remove(t, "us-east-1", "a")
	if _, err := w.in["us-east-1"].UpdateTable(t.Context(), makingStrong("", "eu-west-1", "us-west-2")); err != nil {
		t.Fatal(err)
	}
	update("Cannot add replicas to a global table with strong MultiRegionConsistency", func() *dynamodb.UpdateTableInput {
		return updatingReplicas(addingReplica("us-west-2").ReplicaUpdates...)
	}())
	update("Deletion of only one table replica", removingReplica("us-west-2"))
	update("Only Replica Create actions are supported", func() *dynamodb.UpdateTableInput {
		in := removingReplica("us-west-2")
		in.MultiRegionConsistency = types.MultiRegionConsistencyStrong
		return in
	}())
	_, err := w.in["us-west-2"].UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{
		TableName: aws.String("orders"), TimeToLiveSpecification: &types.TimeToLiveSpecification{
			AttributeName: aws.String("until"), Enabled: aws.Bool(true)}})
	wantError(t, err, invalid, "Time to Live is not supported")
	_, err = w.in["us-west-2"].TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
		TransactItems: []types.TransactWriteItem{{Put: &types.Put{TableName: aws.String("orders"),
			Item: valueItem("a", "1")}}}})
	wantError(t, err, invalid, "Transactions are not supported")
	_, err = w.in["us-west-2"].TransactGetItems(t.Context(), &dynamodb.TransactGetItemsInput{
		TransactItems: []types.TransactGetItem{{Get: &types.Get{TableName: aws.String("orders"),
			Key: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "a"}}}}}})
	wantError(t, err, invalid, "Transactions are not supported")
}

// TestStrongReplicasConflict checks that a write fails while another region writes the item, with Conflicts.
func TestStrongReplicasConflict(t *testing.T) {
	t.Parallel()
	w := newWorld(t, emulator.WithLikeCloud(emulator.Conflicts))
	w.createTable(t)
	if _, err := w.in["us-east-1"].UpdateTable(t.Context(), makingStrong("us-east-2", "eu-west-1")); err != nil {
		t.Fatal(err)
	}
	put := func(region, id string) error {
		_, err := w.in[region].PutItem(context.WithoutCancel(t.Context()), &dynamodb.PutItemInput{
			TableName: aws.String("orders"), Item: valueItem(id, region)},
			func(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} })
		return err
	}
	err := counter{Emulator: w.emulator}.during(t, func() error { return put("us-east-1", "a") }, func() {
		wantError(t, put("eu-west-1", "a"), "ReplicatedWriteConflictException", "are being modified by a request in another Region")
		if err := put("eu-west-1", "b"); err != nil {
			t.Errorf("a write of another item: %v", err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := put("eu-west-1", "a"); err != nil {
		t.Errorf("a later write: %v", err)
	}
	w.wantItems(t, map[string]string{"a": "eu-west-1", "b": "eu-west-1"}, "us-east-1")
}

// TestAutoScalingOfReplicas checks the operations on auto scaling of a table on demand (ack-api-quirks DDB-TABLE-190
// and DDB-TABLE-232, 2026-10-09).
func TestAutoScalingOfReplicas(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.createTable(t)
	name := aws.String("orders")
	_, err := w.in["us-east-1"].DescribeTableReplicaAutoScaling(t.Context(),
		&dynamodb.DescribeTableReplicaAutoScalingInput{TableName: name})
	wantError(t, err, "ResourceNotFoundException", "Global table with name: 'orders' does not exist.")
	w.addReplica(t, "us-east-1", "eu-west-1")
	out, err := w.in["us-east-1"].DescribeTableReplicaAutoScaling(t.Context(),
		&dynamodb.DescribeTableReplicaAutoScalingInput{TableName: name})
	if err != nil {
		t.Fatal(err)
	}
	var regions []string
	for _, r := range out.TableAutoScalingDescription.Replicas {
		regions = append(regions, *r.RegionName)
		if !*r.ReplicaProvisionedReadCapacityAutoScalingSettings.AutoScalingDisabled {
			t.Errorf("auto scaling is enabled in %s", *r.RegionName)
		}
	}
	if !reflect.DeepEqual(regions, []string{"eu-west-1", "us-east-1"}) {
		t.Errorf("the regions are %v", regions)
	}
	update := &dynamodb.UpdateTableReplicaAutoScalingInput{TableName: name,
		ProvisionedWriteCapacityAutoScalingUpdate: &types.AutoScalingSettingsUpdate{AutoScalingDisabled: aws.Bool(true)}}
	if _, err := w.in["us-east-1"].UpdateTableReplicaAutoScaling(t.Context(), update); err != nil {
		t.Error(err)
	}
	update.ProvisionedWriteCapacityAutoScalingUpdate = settingsUpdate(1, 10, 70)
	_, err = w.in["us-east-1"].UpdateTableReplicaAutoScaling(t.Context(), update)
	wantError(t, err, "ValidationException", "Replicas 'EU-WEST-1', 'US-EAST-1' BillingMode is PayPerRequest.")
}
