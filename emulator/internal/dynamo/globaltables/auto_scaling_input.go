package globaltables

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"

// AutoScalingSettingsUpdateInput changes the auto scaling of a capacity, in units per second.
type AutoScalingSettingsUpdateInput struct {
	MinimumUnits        *int64 `check:"min=1"`
	MaximumUnits        *int64 `check:"min=1"`
	AutoScalingDisabled *bool
	AutoScalingRoleArn  *string `check:"text,minlen=1,maxlen=1600"`
	ScalingPolicyUpdate *AutoScalingPolicyUpdateInput
}

// AutoScalingPolicyUpdateInput changes a scaling policy.
type AutoScalingPolicyUpdateInput struct {
	PolicyName *string `check:"print,minlen=1,maxlen=256"`

	TargetTrackingScalingPolicyConfiguration *TargetTrackingUpdateInput `check:"notnull"`
}

// TargetTrackingUpdateInput is the utilization to keep, in percent, and the cooldowns, in seconds.
type TargetTrackingUpdateInput struct {
	DisableScaleIn   *bool
	ScaleInCooldown  *int32
	ScaleOutCooldown *int32
	TargetValue      *shape.Double `check:"notnull"`
}
