// Package autoscaling is the part of Application Auto Scaling that scales DynamoDB: the provisioned capacity of tables
// and of global secondary indexes, by target tracking and by schedules.
//
// # Target tracking
//
// A scaling policy has four CloudWatch alarms, as on AWS. AlarmHigh goes off when the consumed capacity was above the
// target for two minutes, AlarmLow when it was more than 20 percentage points below the target for fifteen; two more
// notice that somebody else changed the capacity. Their action is the policy: package cloudwatch evaluates the alarms
// and calls [Service.Wake]. The new capacity is that at which the highest of these minutes meets the target. After each
// change the alarms are replaced by others for the new capacity.
//
// # Time and state
//
// One timer, on the emulator's clock, runs scheduled actions, retries, and checks of tables that are UPDATING. It
// retries after a minute what failed or panicked. Targets, with their policies and scheduled actions, and activities
// are in the store.
//
// # Locks
//
// What changes a target, a request or the timer, closes the gate changes, and may wait then. The mutex is held briefly,
// and never while CloudWatch or DynamoDB is called.
//
// # Sources of the behaviour
//
// AWS's documentation and the SDK's model; recordings of us-east-1 on 2026-09-17 (radkawar/stackd,
// testdata/aws/applicationautoscaling: controls for messages, dynamodb_maintenance for alarms).
package autoscaling
