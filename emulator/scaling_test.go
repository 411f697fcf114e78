package emulator_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	scaling "github.com/aws/aws-sdk-go-v2/service/applicationautoscaling"
	scalingtypes "github.com/aws/aws-sdk-go-v2/service/applicationautoscaling/types"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatch"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/emulator"
)

// scaled is an emulator with the provisioned table "orders", whose clock stands at noon.
type scaled struct {
	*emulator.Emulator
	t       *testing.T
	tables  *dynamodb.Client
	scaling *scaling.Client
}

// scaledTable returns an emulator with a table of 5 read and 5 write units, and with the index by-customer of the same.
func scaledTable(t *testing.T, opts ...emulator.Option) *scaled {
	t.Helper()
	e := emulator.Run(t, append([]emulator.Option{emulator.WithManualClock(kinesisNoon)}, opts...)...)
	s := &scaled{Emulator: e, t: t, tables: dynamodb.NewFromConfig(e.AWSConfig()),
		scaling: scaling.NewFromConfig(e.AWSConfig())}
	units := &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(5), WriteCapacityUnits: aws.Int64(5)}
	key := func(name string) []types.KeySchemaElement {
		return []types.KeySchemaElement{{AttributeName: &name, KeyType: types.KeyTypeHash}}
	}
	_, err := s.tables.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("orders"), KeySchema: key("id"), ProvisionedThroughput: units,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("customer"), AttributeType: types.ScalarAttributeTypeS},
		},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{IndexName: aws.String("by-customer"),
			KeySchema: key("customer"), ProvisionedThroughput: units,
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *scaled) advance(d time.Duration) {
	s.t.Helper()
	if err := s.Advance(d); err != nil {
		s.t.Fatal(err)
	}
}

const writesOfTable = scalingtypes.ScalableDimensionDynamoDBTableWriteCapacityUnits

// register registers the writes of the table.
func (s *scaled) register(least, most int32) {
	s.t.Helper()
	if _, err := s.scaling.RegisterScalableTarget(s.t.Context(), &scaling.RegisterScalableTargetInput{
		ServiceNamespace: scalingtypes.ServiceNamespaceDynamodb, ResourceId: aws.String("table/orders"),
		ScalableDimension: writesOfTable, MinCapacity: &least, MaxCapacity: &most}); err != nil {
		s.t.Fatal(err)
	}
}

// track puts a policy for the writes of the table, with a target of 50%.
func (s *scaled) track(
	change func(*scalingtypes.TargetTrackingScalingPolicyConfiguration)) *scaling.PutScalingPolicyOutput {
	s.t.Helper()
	config := &scalingtypes.TargetTrackingScalingPolicyConfiguration{TargetValue: aws.Float64(50),
		PredefinedMetricSpecification: &scalingtypes.PredefinedMetricSpecification{
			PredefinedMetricType: scalingtypes.MetricTypeDynamoDBWriteCapacityUtilization}}
	if change != nil {
		change(config)
	}
	out, err := s.scaling.PutScalingPolicy(s.t.Context(), &scaling.PutScalingPolicyInput{
		PolicyName: aws.String("half"), PolicyType: scalingtypes.PolicyTypeTargetTrackingScaling,
		ServiceNamespace: scalingtypes.ServiceNamespaceDynamodb, ResourceId: aws.String("table/orders"),
		ScalableDimension: writesOfTable, TargetTrackingScalingPolicyConfiguration: config})
	if err != nil {
		s.t.Fatal(err)
	}
	return out
}

// write writes items of 1 KB for some minutes, at a rate per minute.
func (s *scaled) write(minutes, units int) {
	s.t.Helper()
	for range minutes {
		for left := units; left > 0; left -= 25 {
			put := []types.WriteRequest{}
			for i := range min(left, 25) {
				put = append(put, types.WriteRequest{PutRequest: &types.PutRequest{Item: map[string]types.AttributeValue{
					"id": &types.AttributeValueMemberS{Value: fmt.Sprint(i)}}}})
			}
			if _, err := s.tables.BatchWriteItem(s.t.Context(), &dynamodb.BatchWriteItemInput{
				RequestItems: map[string][]types.WriteRequest{"orders": put}}); err != nil {
				s.t.Fatal(err)
			}
		}
		s.advance(time.Minute)
	}
}

// capacity returns the write units of the table.
func (s *scaled) capacity() int64 {
	s.t.Helper()
	out, err := s.tables.DescribeTable(s.t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("orders")})
	if err != nil {
		s.t.Fatal(err)
	}
	return *out.Table.ProvisionedThroughput.WriteCapacityUnits
}

func (s *scaled) wantCapacity(when string, want int64) {
	s.t.Helper()
	if got := s.capacity(); got != want {
		s.t.Errorf("%s the table has %d write units, want %d", when, got, want)
	}
}

// activities returns the status, the description, the cause without ids, and the message of each activity, the newest
// first.
func (s *scaled) activities() (all []string) {
	s.t.Helper()
	out, err := s.scaling.DescribeScalingActivities(s.t.Context(), &scaling.DescribeScalingActivitiesInput{
		ServiceNamespace: scalingtypes.ServiceNamespaceDynamodb})
	if err != nil {
		s.t.Fatal(err)
	}
	for _, a := range out.ScalingActivities {
		cause := *a.Cause
		if at := strings.Index(cause, "-Alarm"); at >= 0 {
			before, after, _ := strings.Cut(cause[at+1:], " ")
			cause = cause[:at+1] + before[:strings.Index(before, "-")] + " " + after
		}
		all = append(all, fmt.Sprintf("%s: %s (%s) %s", a.StatusCode, *a.Description, cause, aws.ToString(a.StatusMessage)))
	}
	return all
}

func (s *scaled) wantActivities(want ...string) {
	s.t.Helper()
	if got := s.activities(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		s.t.Errorf("the activities are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

const setTo = "Successful: Setting write capacity units to %d. (monitor alarm TargetTracking-table/orders-%s in state " +
	"ALARM triggered policy half) Successfully set write capacity units to %[1]d. Change successfully fulfilled by dynamodb."

// TestATableIsScaledToItsLoad scales a table out after two minutes of load, and in after fifteen minutes without.
func TestATableIsScaledToItsLoad(t *testing.T) {
	t.Parallel()
	s := scaledTable(t)
	s.register(1, 40)
	s.track(nil)
	s.write(1, 600) // 10 units per second
	s.wantCapacity("after a minute of load", 5)
	s.write(1, 600)
	s.wantCapacity("after two minutes of load", 20)
	s.advance(14 * time.Minute)
	s.wantCapacity("after 14 minutes without load", 20)
	s.advance(2 * time.Minute)
	s.wantCapacity("after 16 minutes without load", 1)
	s.wantActivities(fmt.Sprintf(setTo, 1, "AlarmLow"), fmt.Sprintf(setTo, 20, "AlarmHigh"))
	s.advance(365 * 24 * time.Hour) // the alarms sleep
	s.wantCapacity("after a year", 1)
}

// TestTheRangeLimitsScaling scales out to the maximum, and further when that is raised.
func TestTheRangeLimitsScaling(t *testing.T) {
	t.Parallel()
	s := scaledTable(t)
	s.register(4, 8)
	s.track(nil)
	s.write(3, 600)
	s.wantCapacity("with a maximum of 8", 8)
	s.register(4, 12)
	s.write(1, 600)
	s.wantCapacity("with a maximum of 12", 12)
	s.advance(time.Hour)
	s.wantCapacity("without load", 4)
}

// TestCooldownsDelayScaling checks that a second change of a direction waits for the end of the cooldown.
func TestCooldownsDelayScaling(t *testing.T) {
	t.Parallel()
	s := scaledTable(t)
	s.register(1, 100)
	s.track(func(c *scalingtypes.TargetTrackingScalingPolicyConfiguration) { c.ScaleOutCooldown = aws.Int32(300) })
	s.write(2, 300)
	s.wantCapacity("at first", 10)
	s.write(4, 600)
	s.wantCapacity("within the cooldown", 10)
	s.write(1, 600)
	s.wantCapacity("after the cooldown", 20)
}

// TestScaleInCanBeDisabled checks DisableScaleIn, and the suspension of scaling.
func TestScaleInCanBeDisabled(t *testing.T) {
	t.Parallel()
	s := scaledTable(t)
	s.register(1, 100)
	out := s.track(func(c *scalingtypes.TargetTrackingScalingPolicyConfiguration) { c.DisableScaleIn = aws.Bool(true) })
	if len(out.Alarms) != 3 {
		t.Errorf("the alarms are %+v", out.Alarms)
	}
	s.advance(time.Hour)
	s.wantCapacity("with scale in disabled", 5)
	s.track(nil)
	suspend := func(in, out bool) {
		if _, err := s.scaling.RegisterScalableTarget(t.Context(), &scaling.RegisterScalableTargetInput{
			ServiceNamespace: scalingtypes.ServiceNamespaceDynamodb, ResourceId: aws.String("table/orders"),
			ScalableDimension: writesOfTable, SuspendedState: &scalingtypes.SuspendedState{
				DynamicScalingInSuspended: &in, DynamicScalingOutSuspended: &out}}); err != nil {
			t.Fatal(err)
		}
	}
	suspend(true, true)
	s.write(3, 600)
	s.advance(time.Hour)
	s.wantCapacity("while scaling is suspended", 5)
	suspend(false, false)
	s.advance(time.Minute)
	s.wantCapacity("after the suspension", 1)
}

// TestRefusedDecreasesAreRetried checks that scaling in waits until DynamoDB allows another decrease on that day.
func TestRefusedDecreasesAreRetried(t *testing.T) {
	t.Parallel()
	s := scaledTable(t)
	s.register(1, 100)
	s.track(nil)
	set := func(units int64) {
		if _, err := s.tables.UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String("orders"),
			ProvisionedThroughput: &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(5),
				WriteCapacityUnits: &units}}); err != nil {
			t.Fatal(err)
		}
	}
	for range 4 {
		set(20)
		set(10)
	}
	s.advance(30 * time.Minute)
	s.wantCapacity("after four decreases", 10)
	if got := s.activities(); len(got) == 0 || !strings.HasPrefix(got[0], "Failed: Setting write capacity units to 1. ") ||
		!strings.Contains(got[0], "Failed to set write capacity units to 1. Reason: Subscriber limit exceeded: ") {
		t.Errorf("the activities are %q", got)
	}
	s.advance(35 * time.Minute)
	s.wantCapacity("an hour after the last decrease", 1)
}

// TestAnIndexIsScaled scales the reads of an index, and leaves the rest alone.
func TestAnIndexIsScaled(t *testing.T) {
	t.Parallel()
	s := scaledTable(t)
	resource, dimension := aws.String("table/orders/index/by-customer"),
		scalingtypes.ScalableDimensionDynamoDBIndexReadCapacityUnits
	if _, err := s.scaling.RegisterScalableTarget(t.Context(), &scaling.RegisterScalableTargetInput{
		ServiceNamespace: scalingtypes.ServiceNamespaceDynamodb, ResourceId: resource, ScalableDimension: dimension,
		MinCapacity: aws.Int32(2), MaxCapacity: aws.Int32(4)}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.scaling.PutScalingPolicy(t.Context(), &scaling.PutScalingPolicyInput{
		PolicyName: aws.String("reads"), PolicyType: scalingtypes.PolicyTypeTargetTrackingScaling, ResourceId: resource,
		ServiceNamespace: scalingtypes.ServiceNamespaceDynamodb, ScalableDimension: dimension,
		TargetTrackingScalingPolicyConfiguration: &scalingtypes.TargetTrackingScalingPolicyConfiguration{
			TargetValue: aws.Float64(70), PredefinedMetricSpecification: &scalingtypes.PredefinedMetricSpecification{
				PredefinedMetricType: scalingtypes.MetricTypeDynamoDBReadCapacityUtilization}}}); err != nil {
		t.Fatal(err)
	}
	s.advance(16 * time.Minute)
	out, err := s.tables.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("orders")})
	if err != nil {
		t.Fatal(err)
	}
	index := out.Table.GlobalSecondaryIndexes[0].ProvisionedThroughput
	if *index.ReadCapacityUnits != 2 || *index.WriteCapacityUnits != 5 ||
		*out.Table.ProvisionedThroughput.ReadCapacityUnits != 5 {
		t.Errorf("the index has %d and %d units, the table %d", *index.ReadCapacityUnits, *index.WriteCapacityUnits,
			*out.Table.ProvisionedThroughput.ReadCapacityUnits)
	}
}

// TestAlarmsOfAPolicy checks the alarms of a policy as they were recorded, that they follow its capacity, and that they
// end with it.
func TestAlarmsOfAPolicy(t *testing.T) {
	t.Parallel()
	s := scaledTable(t)
	alarms := cloudwatch.NewFromConfig(s.AWSConfig())
	s.register(1, 40)
	first := s.track(nil)
	if again := s.track(nil); *again.Alarms[0].AlarmName != *first.Alarms[0].AlarmName {
		t.Error("the same policy has other alarms")
	}
	describe := func() string {
		out, err := alarms.DescribeAlarms(t.Context(), &cloudwatch.DescribeAlarmsInput{
			AlarmNamePrefix: aws.String("TargetTracking-table/orders-")})
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, a := range out.MetricAlarms {
			kind, _, _ := strings.Cut(strings.TrimPrefix(*a.AlarmName, "TargetTracking-table/orders-"), "-")
			all = append(all, fmt.Sprintf("%s: %s of %s %s %v, %d x %d s", kind, a.Statistic, *a.MetricName,
				a.ComparisonOperator, *a.Threshold, *a.EvaluationPeriods, *a.Period))
		}
		return strings.Join(all, "\n")
	}
	const format = "AlarmHigh: Sum of ConsumedWriteCapacityUnits GreaterThanThreshold %d, 2 x 60 s\n" +
		"AlarmLow: Sum of ConsumedWriteCapacityUnits LessThanThreshold %d, 15 x 60 s\n" +
		"ProvisionedCapacityHigh: Average of ProvisionedWriteCapacityUnits GreaterThanThreshold %d, 3 x 300 s\n" +
		"ProvisionedCapacityLow: Average of ProvisionedWriteCapacityUnits LessThanThreshold %[3]d, 3 x 300 s"
	if got, want := describe(), fmt.Sprintf(format, 150, 90, 5); got != want {
		t.Errorf("the alarms are\n%s\nwant\n%s", got, want)
	}
	if _, err := s.tables.UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String("orders"),
		ProvisionedThroughput: &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(5),
			WriteCapacityUnits: aws.Int64(10)}}); err != nil {
		t.Fatal(err)
	}
	s.write(16, 250)
	if got, want := describe(), fmt.Sprintf(format, 300, 180, 10); got != want {
		t.Errorf("after a change by somebody else the alarms are\n%s\nwant\n%s", got, want)
	}
	if _, err := s.scaling.DeregisterScalableTarget(t.Context(), &scaling.DeregisterScalableTargetInput{
		ServiceNamespace: scalingtypes.ServiceNamespaceDynamodb, ResourceId: aws.String("table/orders"),
		ScalableDimension: writesOfTable}); err != nil {
		t.Fatal(err)
	}
	if got := describe(); got != "" {
		t.Errorf("without the target there are the alarms\n%s", got)
	}
}
