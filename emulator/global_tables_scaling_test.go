package emulator_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	scaling "github.com/aws/aws-sdk-go-v2/service/applicationautoscaling"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// TestScaledReplicas checks that a provisioned table needs auto scaling for replicas, that the auto scaling of all of
// them is described, and that its changes reach them.
func TestScaledReplicas(t *testing.T) {
	t.Parallel()
	s := scaledTable(t, emulator.WithRegions(threeRegions...))
	w := worldOf(s.Emulator)
	_, err := w.in["us-east-1"].UpdateTable(t.Context(), addingReplica("eu-west-1"))
	wantError(t, err, "ValidationException", "Table write capacity should either be Pay-Per-Request or AutoScaled.")
	s.register(2, 40)
	s.track(nil)
	w.addReplica(t, "us-east-1", "eu-west-1")

	out, err := w.in["eu-west-1"].DescribeTableReplicaAutoScaling(t.Context(),
		&dynamodb.DescribeTableReplicaAutoScalingInput{TableName: aws.String("orders")})
	if err != nil {
		t.Fatal(err)
	}
	role := "arn:aws:iam::000000000000:role/aws-service-role/dynamodb.application-autoscaling.amazonaws.com/" +
		"AWSServiceRoleForApplicationAutoScaling_DynamoDBTable"
	enabled := &types.AutoScalingSettingsDescription{MinimumUnits: aws.Int64(2), MaximumUnits: aws.Int64(40),
		AutoScalingRoleArn: &role, ScalingPolicies: []types.AutoScalingPolicyDescription{{PolicyName: aws.String("half"),
			TargetTrackingScalingPolicyConfiguration: &types.AutoScalingTargetTrackingScalingPolicyConfigurationDescription{
				TargetValue: aws.Float64(50)}}}}
	disabled := &types.AutoScalingSettingsDescription{AutoScalingDisabled: aws.Bool(true),
		ScalingPolicies: []types.AutoScalingPolicyDescription{}}
	want := map[string]*types.AutoScalingSettingsDescription{"eu-west-1": enabled, "us-east-1": enabled}
	got := map[string]*types.AutoScalingSettingsDescription{}
	for _, r := range out.TableAutoScalingDescription.Replicas {
		got[*r.RegionName] = r.ReplicaProvisionedWriteCapacityAutoScalingSettings
		if read := r.ReplicaProvisionedReadCapacityAutoScalingSettings; !reflect.DeepEqual(read, disabled) {
			t.Errorf("%s: reads are scaled: %+v", *r.RegionName, read)
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the auto scaling is %+v; want %+v", got, want)
	}

	s.write(2, 600)
	for _, region := range []string{"us-east-1", "eu-west-1"} {
		d, err := w.in[region].DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("orders")})
		if err != nil {
			t.Fatal(err)
		}
		if units := *d.Table.ProvisionedThroughput.WriteCapacityUnits; units != 20 {
			t.Errorf("%s has %d write units; want 20", region, units)
		}
	}
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
