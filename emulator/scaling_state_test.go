package emulator_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	scaling "github.com/aws/aws-sdk-go-v2/service/applicationautoscaling"
	scalingtypes "github.com/aws/aws-sdk-go-v2/service/applicationautoscaling/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/tabletop-db/tabletop/emulator"
)

// TestScheduledActionsRun runs an action once, and one every day, which changes the range and with it the capacity.
func TestScheduledActionsRun(t *testing.T) {
	t.Parallel()
	s := scaledTable(t)
	s.register(5, 40)
	put := func(name, schedule string, least, most int32) {
		if _, err := s.scaling.PutScheduledAction(t.Context(), &scaling.PutScheduledActionInput{
			ServiceNamespace: scalingtypes.ServiceNamespaceDynamodb, ResourceId: aws.String("table/orders"),
			ScalableDimension: writesOfTable, ScheduledActionName: &name, Schedule: &schedule,
			Timezone:             aws.String("Europe/Berlin"),
			ScalableTargetAction: &scalingtypes.ScalableTargetAction{MinCapacity: &least, MaxCapacity: &most}}); err != nil {
			t.Fatal(err)
		}
	}
	put("once", "at(2026-11-21T14:00:00)", 15, 20) // 13:00 in UTC
	put("evening", "cron(30 18 ? * SAT *)", 5, 10) // 17:30 in UTC, on a Saturday
	s.advance(time.Hour - time.Second)
	s.wantCapacity("before the action", 5)
	s.advance(time.Second)
	s.wantCapacity("after the action", 15)
	s.advance(5 * time.Hour)
	s.wantCapacity("in the evening", 10)
	s.wantActivities(
		"Successful: Setting write capacity units to 10. (maximum capacity was set to 10) "+
			"Successfully set write capacity units to 10. Change successfully fulfilled by dynamodb.",
		"Successful: Setting min capacity to 5 and max capacity to 10 (scheduled action name evening was triggered) "+
			"Successfully set min capacity to 5 and max capacity to 10",
		"Successful: Setting write capacity units to 15. (minimum capacity was set to 15) "+
			"Successfully set write capacity units to 15. Change successfully fulfilled by dynamodb.",
		"Successful: Setting min capacity to 15 and max capacity to 20 (scheduled action name once was triggered) "+
			"Successfully set min capacity to 15 and max capacity to 20")
	s.advance(8 * 24 * time.Hour)
	if got := s.activities(); len(got) != 5 {
		t.Errorf("after a week the activities are %q", got)
	}
}

// TestAScalingTableIsUpdatingForAWhile checks an activity in progress, with transitional states.
func TestAScalingTableIsUpdatingForAWhile(t *testing.T) {
	t.Parallel()
	s := scaledTable(t, emulator.WithLikeCloud(emulator.States))
	s.advance(time.Minute)
	s.register(15, 40)
	s.wantActivities("InProgress: Setting write capacity units to 15. (minimum capacity was set to 15) " +
		"Successfully set write capacity units to 15. Waiting for change to be fulfilled by dynamodb.")
	s.advance(10 * time.Second)
	s.wantActivities("Successful: Setting write capacity units to 15. (minimum capacity was set to 15) " +
		"Successfully set write capacity units to 15. Change successfully fulfilled by dynamodb.")
	s.wantCapacity("then", 15)
}

// TestScalingSurvivesARestart stops an emulator with a policy and a scheduled action, and a table without load.
func TestScalingSurvivesARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := scaledTable(t, emulator.WithData(dir))
	s.register(1, 40)
	before := s.track(nil)
	if _, err := s.scaling.PutScheduledAction(t.Context(), &scaling.PutScheduledActionInput{
		ServiceNamespace: scalingtypes.ServiceNamespaceDynamodb, ResourceId: aws.String("table/orders"),
		ScalableDimension: writesOfTable, ScheduledActionName: aws.String("soon"), Schedule: aws.String("rate(1 hour)"),
		ScalableTargetAction: &scalingtypes.ScalableTargetAction{MinCapacity: aws.Int32(3)}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	e := emulator.Run(t, emulator.WithManualClock(kinesisNoon), emulator.WithData(dir))
	s.Emulator, s.tables, s.scaling = e, dynamodb.NewFromConfig(e.AWSConfig()), scaling.NewFromConfig(e.AWSConfig())
	if again := s.track(nil); *again.Alarms[0].AlarmName != *before.Alarms[0].AlarmName {
		t.Error("the policy has other alarms")
	}
	s.advance(16 * time.Minute)
	s.wantCapacity("without load", 1)
	s.advance(time.Hour)
	s.wantCapacity("after the action", 3)
}

// TestScalingComesBackWithASnapshot restores targets, policies and activities, and resets them.
func TestScalingComesBackWithASnapshot(t *testing.T) {
	t.Parallel()
	s := scaledTable(t)
	s.register(10, 40)
	s.track(nil)
	snapshot, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	targets := func() int {
		out, err := s.scaling.DescribeScalableTargets(t.Context(), &scaling.DescribeScalableTargetsInput{
			ServiceNamespace: scalingtypes.ServiceNamespaceDynamodb})
		if err != nil {
			t.Fatal(err)
		}
		return len(out.ScalableTargets)
	}
	if err := s.Reset(); err != nil {
		t.Fatal(err)
	}
	if n, all := targets(), s.activities(); n != 0 || len(all) != 0 {
		t.Errorf("after a reset there are %d targets and the activities %q", n, all)
	}
	if err := s.Restore(snapshot); err != nil {
		t.Fatal(err)
	}
	if n, all := targets(), s.activities(); n != 1 || len(all) != 1 {
		t.Errorf("after a restore there are %d targets and the activities %q", n, all)
	}
	s.write(2, 1200)
	s.wantCapacity("after a restore and load", 40)
}

// TestScalingNeedsPermission checks the action and the resource that policies must allow.
func TestScalingNeedsPermission(t *testing.T) {
	t.Parallel()
	e := guarded(t)
	register := func(user string) error {
		_, err := scaling.NewFromConfig(e.AWSConfigFor(user)).RegisterScalableTarget(t.Context(),
			&scaling.RegisterScalableTargetInput{ServiceNamespace: scalingtypes.ServiceNamespaceDynamodb,
				ResourceId: aws.String("table/orders"), ScalableDimension: writesOfTable, MinCapacity: aws.Int32(1),
				MaxCapacity: aws.Int32(2)})
		return err
	}
	if err := register("ana"); err != nil {
		t.Errorf("ana, an administrator: %v", err)
	}
	denied(t, register("bob"), "AccessDeniedException", "User: arn:aws:iam::123456789012:user/bob is not authorized to "+
		"perform: application-autoscaling:RegisterScalableTarget on resource: "+
		"arn:aws:application-autoscaling:us-east-1:123456789012:scalable-target/0d26")
	denied(t, register("210987654321/eve"), "ValidationException", "DynamoDB table does not exist: table/orders")
}
