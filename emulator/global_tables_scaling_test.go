package emulator_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	scaling "github.com/aws/aws-sdk-go-v2/service/applicationautoscaling"
	scalingtypes "github.com/aws/aws-sdk-go-v2/service/applicationautoscaling/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// scaledReplicas returns a provisioned table with a replica in eu-west-1, whose writes are scaled from 2 to 40 units,
// and those of its index from 5 to 40.
func scaledReplicas(t *testing.T) (*scaled, *world) {
	t.Helper()
	s := scaledTable(t, emulator.WithRegions(threeRegions...))
	w := worldOf(s.Emulator)
	_, err := w.in["us-east-1"].UpdateTable(t.Context(), addingReplica("eu-west-1"))
	wantError(t, err, "ValidationException", "Table write capacity should either be Pay-Per-Request or AutoScaled.")
	s.register(2, 40)
	_, err = w.in["us-east-1"].UpdateTable(t.Context(), addingReplica("eu-west-1")) // a target without a policy
	wantError(t, err, "ValidationException", "Table write capacity should either be Pay-Per-Request or AutoScaled.")
	s.track(nil)
	_, err = w.in["us-east-1"].UpdateTable(t.Context(), addingReplica("eu-west-1"))
	wantError(t, err, "ValidationException", "GSI write capacity should either be Pay-Per-Request or AutoScaled.")
	s.scaleIndex()
	w.addReplica(t, "us-east-1", "eu-west-1")
	return s, w
}

// scaleIndex scales the writes of the index by-customer.
func (s *scaled) scaleIndex() {
	s.t.Helper()
	const writes = scalingtypes.ScalableDimensionDynamoDBIndexWriteCapacityUnits
	index := aws.String("table/orders/index/by-customer")
	_, err := s.scaling.RegisterScalableTarget(s.t.Context(), &scaling.RegisterScalableTargetInput{
		ServiceNamespace: "dynamodb", ResourceId: index, ScalableDimension: writes, MinCapacity: aws.Int32(5),
		MaxCapacity: aws.Int32(40)})
	if err != nil {
		s.t.Fatal(err)
	}
	_, err = s.scaling.PutScalingPolicy(s.t.Context(), &scaling.PutScalingPolicyInput{PolicyName: aws.String("index"),
		PolicyType: scalingtypes.PolicyTypeTargetTrackingScaling, ServiceNamespace: "dynamodb", ResourceId: index,
		ScalableDimension: writes, TargetTrackingScalingPolicyConfiguration: trackingOf("Write", 70)})
	if err != nil {
		s.t.Fatal(err)
	}
}

func trackingOf(kind string, target float64) *scalingtypes.TargetTrackingScalingPolicyConfiguration {
	return &scalingtypes.TargetTrackingScalingPolicyConfiguration{TargetValue: &target,
		PredefinedMetricSpecification: &scalingtypes.PredefinedMetricSpecification{
			PredefinedMetricType: scalingtypes.MetricType("DynamoDB" + kind + "CapacityUtilization")}}
}

// policiesIn returns the names of the policies in a region, by the last words of their resources and dimensions.
func (s *scaled) policiesIn(region string) map[string]string {
	s.t.Helper()
	out, err := s.scaling.DescribeScalingPolicies(s.t.Context(),
		&scaling.DescribeScalingPoliciesInput{ServiceNamespace: "dynamodb"}, func(o *scaling.Options) { o.Region = region })
	if err != nil {
		s.t.Fatal(err)
	}
	all := map[string]string{}
	for _, p := range out.ScalingPolicies {
		resource := (*p.ResourceId)[strings.LastIndex(*p.ResourceId, "/")+1:]
		dimension := strings.TrimSuffix(string(p.ScalableDimension), "CapacityUnits")
		all[resource+" "+dimension[strings.LastIndex(dimension, ":")+1:]] = *p.PolicyName
	}
	return all
}

func (s *scaled) wantPolicies(want map[string]string, regions ...string) {
	s.t.Helper()
	for _, region := range regions {
		if got := s.policiesIn(region); !reflect.DeepEqual(got, want) {
			s.t.Errorf("%s has the policies %v; want %v", region, got, want)
		}
	}
}

// autoScalingOf returns the auto scaling of writes and reads in a region.
func (w *world) autoScalingOf(t testing.TB, region string) (writes, reads *types.AutoScalingSettingsDescription) {
	t.Helper()
	out, err := w.in["eu-west-1"].DescribeTableReplicaAutoScaling(t.Context(),
		&dynamodb.DescribeTableReplicaAutoScalingInput{TableName: aws.String("orders")})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range out.TableAutoScalingDescription.Replicas {
		if *r.RegionName == region {
			return r.ReplicaProvisionedWriteCapacityAutoScalingSettings, r.ReplicaProvisionedReadCapacityAutoScalingSettings
		}
	}
	t.Fatalf("there is no replica in %s", region)
	return nil, nil
}

var (
	scalingRole = "arn:aws:iam::000000000000:role/aws-service-role/dynamodb.application-autoscaling.amazonaws.com/" +
		"AWSServiceRoleForApplicationAutoScaling_DynamoDBTable"
	scalingDisabled = &types.AutoScalingSettingsDescription{AutoScalingDisabled: aws.Bool(true),
		ScalingPolicies: []types.AutoScalingPolicyDescription{}}
)

func scalingEnabled(least, most int64, policy string, target float64) *types.AutoScalingSettingsDescription {
	return &types.AutoScalingSettingsDescription{MinimumUnits: &least, MaximumUnits: &most,
		AutoScalingRoleArn: &scalingRole, ScalingPolicies: []types.AutoScalingPolicyDescription{{PolicyName: &policy,
			TargetTrackingScalingPolicyConfiguration: &types.AutoScalingTargetTrackingScalingPolicyConfigurationDescription{
				TargetValue: &target}}}}
}

// TestScaledReplicas checks that a provisioned table and its indexes need auto scaling for replicas, that a new replica
// gets it, and that changes of the capacity reach all regions.
func TestScaledReplicas(t *testing.T) {
	t.Parallel()
	s, w := scaledReplicas(t)
	s.wantPolicies(map[string]string{"orders Write": "half", "by-customer Write": "index"}, "us-east-1", "eu-west-1")
	for _, region := range threeRegions[:2] {
		writes, reads := w.autoScalingOf(t, region)
		if want := scalingEnabled(2, 40, "half", 50); !reflect.DeepEqual(writes, want) {
			t.Errorf("%s: writes are scaled as %+v; want %+v", region, writes, want)
		}
		if !reflect.DeepEqual(reads, scalingDisabled) {
			t.Errorf("%s: reads are scaled as %+v", region, reads)
		}
	}
	s.write(2, 600)
	for _, region := range threeRegions[:2] {
		if units := *w.describe(t, region).ProvisionedThroughput.WriteCapacityUnits; units != 20 {
			t.Errorf("%s has %d write units; want 20", region, units)
		}
	}
}

func (w *world) updateScaling(t testing.TB, change func(*dynamodb.UpdateTableReplicaAutoScalingInput)) (
	*dynamodb.UpdateTableReplicaAutoScalingOutput, error) {
	t.Helper()
	in := &dynamodb.UpdateTableReplicaAutoScalingInput{TableName: aws.String("orders")}
	change(in)
	return w.in["us-east-1"].UpdateTableReplicaAutoScaling(t.Context(), in, once)
}

func settingsUpdate(least, most int64, target float64, policy ...string) *types.AutoScalingSettingsUpdate {
	u := &types.AutoScalingSettingsUpdate{MinimumUnits: &least, MaximumUnits: &most,
		ScalingPolicyUpdate: &types.AutoScalingPolicyUpdate{
			TargetTrackingScalingPolicyConfiguration: &types.AutoScalingTargetTrackingScalingPolicyConfigurationUpdate{
				TargetValue: &target}}}
	if len(policy) > 0 {
		u.ScalingPolicyUpdate.PolicyName = &policy[0]
	}
	return u
}

var endScaling = &types.AutoScalingSettingsUpdate{AutoScalingDisabled: aws.Bool(true)}

// TestUpdateTableReplicaAutoScaling checks that the operation registers targets and policies: for writes in all
// regions, for reads in one; that a policy of another name replaces the previous one; and that scaling ends.
func TestUpdateTableReplicaAutoScaling(t *testing.T) {
	t.Parallel()
	s, w := scaledReplicas(t)
	out, err := w.updateScaling(t, func(in *dynamodb.UpdateTableReplicaAutoScalingInput) {
		in.ProvisionedWriteCapacityAutoScalingUpdate = settingsUpdate(3, 30, 60)
		in.GlobalSecondaryIndexUpdates = []types.GlobalSecondaryIndexAutoScalingUpdate{{
			IndexName: aws.String("by-customer"),
			ProvisionedWriteCapacityAutoScalingUpdate: settingsUpdate(5, 50, 19.9, "mine")}}
		in.ReplicaUpdates = []types.ReplicaAutoScalingUpdate{{RegionName: aws.String("eu-west-1"),
			ReplicaProvisionedReadCapacityAutoScalingUpdate: settingsUpdate(8, 80, 70)}}
	})
	if err != nil {
		t.Fatal(err)
	}
	previous := out.TableAutoScalingDescription.Replicas[0].ReplicaProvisionedWriteCapacityAutoScalingSettings
	if !reflect.DeepEqual(previous, scalingEnabled(2, 40, "half", 50)) {
		t.Errorf("the answer has %+v, not the previous settings", previous)
	}
	const named = "DynamoDBWriteCapacityUtilization:table/orders"
	s.wantPolicies(map[string]string{"orders Write": named, "by-customer Write": "mine"}, "us-east-1")
	s.wantPolicies(map[string]string{"orders Write": named, "by-customer Write": "mine",
		"orders Read": "DynamoDBReadCapacityUtilization:table/orders"}, "eu-west-1")
	for region, want := range map[string]int64{"us-east-1": 5, "eu-west-1": 8} { // raised to the minimum there alone
		if got := *w.describe(t, region).ProvisionedThroughput.ReadCapacityUnits; got != want {
			t.Errorf("%s has %d read units; want %d", region, got, want)
		}
	}
	writes, _ := w.autoScalingOf(t, "eu-west-1")
	if want := scalingEnabled(3, 30, named, 60); !reflect.DeepEqual(writes, want) {
		t.Errorf("writes are scaled as %+v; want %+v", writes, want)
	}

	_, err = w.updateScaling(t, func(in *dynamodb.UpdateTableReplicaAutoScalingInput) {
		in.ProvisionedWriteCapacityAutoScalingUpdate = endScaling
	})
	if err != nil {
		t.Fatal(err)
	}
	s.wantPolicies(map[string]string{"by-customer Write": "mine"}, "us-east-1")
	if writes, _ := w.autoScalingOf(t, "eu-west-1"); !reflect.DeepEqual(writes, scalingDisabled) {
		t.Errorf("writes are scaled as %+v", writes)
	}
}

// TestScalingOfReplicasOnDemandIsDisabled checks that a table that becomes on demand keeps its targets and policies,
// which are described as disabled, until its scaling ends (ack-api-quirks DDB-TABLE-317).
func TestScalingOfReplicasOnDemandIsDisabled(t *testing.T) {
	t.Parallel()
	s, w := scaledReplicas(t)
	before := s.policiesIn("us-east-1")
	_, err := w.in["us-east-1"].UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String("orders"),
		BillingMode: types.BillingModePayPerRequest})
	if err != nil {
		t.Fatal(err)
	}
	s.wantPolicies(before, "us-east-1", "eu-west-1")
	want := scalingEnabled(2, 40, "half", 50)
	want.AutoScalingDisabled = aws.Bool(true)
	if writes, reads := w.autoScalingOf(t, "eu-west-1"); !reflect.DeepEqual(writes, want) ||
		!reflect.DeepEqual(reads, scalingDisabled) {
		t.Errorf("writes are scaled as %+v, reads as %+v; want %+v, and not at all", writes, reads, want)
	}
	_, err = w.updateScaling(t, func(in *dynamodb.UpdateTableReplicaAutoScalingInput) {
		in.ProvisionedWriteCapacityAutoScalingUpdate = endScaling
	})
	if err != nil {
		t.Fatal(err)
	}
	if writes, _ := w.autoScalingOf(t, "eu-west-1"); !reflect.DeepEqual(writes, scalingDisabled) {
		t.Errorf("after the end writes are scaled as %+v", writes)
	}
}

// TestUpdateTableReplicaAutoScalingRefuses checks what the operation refuses (ack-api-quirks DDB-TABLE-239,
// DDB-TABLE-241, DDB-TABLE-242, DDB-TABLE-253, DDB-TABLE-255, DDB-TABLE-323 and DDB-TABLE-446), and that then nothing
// changes.
func TestUpdateTableReplicaAutoScalingRefuses(t *testing.T) {
	t.Parallel()
	s, w := scaledReplicas(t)
	before := s.policiesIn("us-east-1")
	type input = dynamodb.UpdateTableReplicaAutoScalingInput
	writes := func(u *types.AutoScalingSettingsUpdate) func(*input) {
		return func(in *input) { in.ProvisionedWriteCapacityAutoScalingUpdate = u }
	}
	reads := func(regions ...string) func(*input) {
		return func(in *input) {
			for _, region := range regions {
				in.ReplicaUpdates = append(in.ReplicaUpdates, types.ReplicaAutoScalingUpdate{RegionName: &region,
					ReplicaProvisionedReadCapacityAutoScalingUpdate: settingsUpdate(1, 10, 70)})
			}
		}
	}
	const failed = "Failed to update settings for global table with name: ‘orders’"
	partial, role, both := settingsUpdate(1, 10, 70), settingsUpdate(1, 10, 70), settingsUpdate(1, 10, 70)
	partial.MinimumUnits, partial.MaximumUnits = nil, nil
	role.AutoScalingRoleArn, both.AutoScalingDisabled = aws.String("arn:aws:iam::000000000000:role/mine"), aws.Bool(true)
	for _, c := range []struct {
		change        func(*input)
		code, message string
	}{
		{func(*input) {}, "ValidationException", failed + " because at least one update parameter must be specified."},
		{func(in *input) {
			in.ReplicaUpdates = []types.ReplicaAutoScalingUpdate{{RegionName: aws.String("eu-west-1")}}
		}, "ValidationException", failed + " because at least one update parameter must be specified for region: ‘eu-west-1’."},
		{reads("eu-west-1", "eu-west-1"), "ValidationException",
			failed + " because the regions: ‘[eu-west-1]’ were specified more than once."},
		{reads("us-west-2"), "ResourceNotFoundException",
			failed + " because a replica does not exist in regions: ‘[us-west-2]’."},
		{writes(&types.AutoScalingSettingsUpdate{}), "ValidationException", failed + ": Parameters 'MaximumUnits', " +
			"'ScalingPolicyUpdate', 'MinimumUnits' are required unless auto scaling is being disabled."},
		{writes(partial), "ValidationException",
			failed + ": Parameters 'MaximumUnits', 'MinimumUnits' are required unless auto scaling is being disabled."},
		{writes(both), "ValidationException", "Failed to update settings for global table with name ‘orders’: Parameters " +
			"'MaximumUnits', 'ScalingPolicyUpdate', 'MinimumUnits' must be left blank when disabling auto scaling."},
		{writes(role), "ValidationException", "is not authorized to perform: iam:PassRole on resource: arn:aws:iam::"},
		{writes(settingsUpdate(11, 10, 70)), "ValidationException", "Maximum capacity cannot be less than minimum capacity " +
			"(Service: AWSApplicationAutoScaling; Status Code: 400; Error Code: ValidationException; Request ID: "},
		{writes(settingsUpdate(1, 10, 90.1)), "ValidationException", "For predefined metric type " +
			"DynamoDBWriteCapacityUtilization, target value must be between '10.0' and '90.0', but was '90.1'. (Service: "},
		{func(in *input) {
			in.GlobalSecondaryIndexUpdates = []types.GlobalSecondaryIndexAutoScalingUpdate{{IndexName: aws.String("other"),
				ProvisionedWriteCapacityAutoScalingUpdate: settingsUpdate(1, 10, 70)}}
		}, "ResourceNotFoundException", failed + " because the global secondary indexes with names: ‘[other]’ do not exist."},
		{func(in *input) {
			in.ReplicaUpdates = []types.ReplicaAutoScalingUpdate{{RegionName: aws.String("eu-west-1"),
				ReplicaGlobalSecondaryIndexUpdates: []types.ReplicaGlobalSecondaryIndexAutoScalingUpdate{{
					IndexName: aws.String("other"), ProvisionedReadCapacityAutoScalingUpdate: settingsUpdate(1, 10, 70)}}}}
		}, "ResourceNotFoundException",
			failed + " because a global secondary index with name: ‘other’ does not exist in region: ‘eu-west-1’."},
	} {
		_, err := w.updateScaling(t, c.change)
		wantError(t, err, c.code, c.message)
	}
	s.wantPolicies(before, "us-east-1", "eu-west-1")
}

// TestScalingIsOfARegion checks that a scalable target belongs to the region of its request.
func TestScalingIsOfARegion(t *testing.T) {
	t.Parallel()
	s := scaledTable(t, emulator.WithRegions(threeRegions...))
	s.register(2, 40)
	for region, want := range map[string]int{"us-east-1": 1, "eu-west-1": 0} {
		out, err := s.scaling.DescribeScalableTargets(t.Context(),
			&scaling.DescribeScalableTargetsInput{ServiceNamespace: "dynamodb"},
			func(o *scaling.Options) { o.Region = region })
		if err != nil || len(out.ScalableTargets) != want {
			t.Errorf("%s has the targets %+v, %v", region, out, err)
		}
	}
	s.advance(time.Minute)
}
