package engine

import "context"

// AutoScaling returns the auto scaling of the read or write capacity of a table, or of its index if that is not empty;
// nil: it is not scaled.
type AutoScaling func(account, table, index string, write bool) *ScalingSettings

// ChangeScaling changes the auto scaling of capacities. It must not be called while Engine.Running is passed: see
// Request.Afterwards. Errors: ScalingRefused.
type ChangeScaling func(ctx context.Context, changes []ScalingChange) error

// ScalingChange changes the auto scaling of the read or write capacity of a table, or of its index if that is not
// empty.
type ScalingChange struct {
	Account, Table, Index string
	Write                 bool
	Disabled              bool // ends the scaling; the rest is ignored
	Min, Max              int64
	Policy                ScalingPolicy // a policy without a name gets that of the service
}

// ScalingRefused is the message with which Application Auto Scaling refused a change.
type ScalingRefused struct{ Message string }

func (e *ScalingRefused) Error() string { return e.Message }

// ScalingSettings are how a capacity is scaled, as the API describes it.
type ScalingSettings struct {
	MinimumUnits       int64           `json:",omitempty"`
	MaximumUnits       int64           `json:",omitempty"`
	AutoScalingRoleArn string          `json:",omitempty"`
	ScalingPolicies    []ScalingPolicy // not nil
}

// ScalingPolicy is a target tracking policy.
type ScalingPolicy struct {
	PolicyName                               string
	TargetTrackingScalingPolicyConfiguration ScalingConfiguration
}

// ScalingConfiguration is the configuration of a target tracking policy.
type ScalingConfiguration struct {
	DisableScaleIn   *bool `json:",omitempty"`
	ScaleInCooldown  *int  `json:",omitempty"`
	ScaleOutCooldown *int  `json:",omitempty"`
	TargetValue      float64
}

// ReadScaling returns the auto scaling of the read capacity of an account's table, or of its index if that is not
// empty; nil: it is not scaled.
func (l Located) ReadScaling(index string) *ScalingSettings { return l.scaling(index, false) }

// WriteScaling returns the auto scaling of the write capacity of an account's table, or of its index if that is not
// empty; nil: it is not scaled. It is the same for all replicas.
func (l Located) WriteScaling(index string) *ScalingSettings {
	if s := l.scaling(index, true); s != nil {
		return s
	}
	for _, o := range l.Replicas() {
		if s := o.scaling(index, true); s != nil {
			return s
		}
	}
	return nil
}

func (l Located) scaling(index string, write bool) *ScalingSettings {
	if l.Account.Engine.Scaling == nil {
		return nil
	}
	return l.Account.Engine.Scaling(l.Account.Name, l.Def.Name, index, write)
}

// IsWriteScaled reports whether the write capacity of a table, or of its index if that is not empty, is scaled by a
// policy.
func (l Located) IsWriteScaled(index string) bool {
	s := l.WriteScaling(index)
	return s != nil && len(s.ScalingPolicies) > 0
}
