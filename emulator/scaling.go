package emulator

import (
	"context"
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/autoscaling"
	"github.com/tabletop-db/tabletop/emulator/internal/awsapi/accounts"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo"
)

// openScaling opens Application Auto Scaling on the store, on DynamoDB and on CloudWatch.
func (e *Emulator) openScaling(o options) (err error) {
	e.scaling, err = autoscaling.New(autoscaling.Config{
		Store: e.store, Clock: e.clock, Metrics: e.metrics.registry, Alarms: e.alarms, Tables: scalableTables{e},
		Logger: o.logger, Spaces: o.spaces(), Seed: o.seed, AccountID: accounts.ID(o.accountID),
		Gate: e.identity.Gate("application-autoscaling"), Running: e.running,
	})
	if err == nil {
		e.alarms.OnScalingAction(e.scaling.Wake)
		e.dynamo.ScaledBy(e.scalingSettings, e.changeScaling)
	}
	return err
}

// scalableTables are the tables of DynamoDB as Application Auto Scaling changes them.
type scalableTables struct{ *Emulator }

func (t scalableTables) Capacity(ctx context.Context, account, table, index string) (_ autoscaling.Capacity, ok bool,
	err error) {
	c, ok, err := t.dynamo.Capacity(ctx, account, table, index)
	return autoscaling.Capacity(c), ok, err
}

func (t scalableTables) SetCapacity(ctx context.Context, account, table, index string, reads, writes int64) error {
	err := t.dynamo.SetCapacity(ctx, account, table, index, reads, writes)
	t.metrics.refresh()
	return err
}

// changeScaling changes the auto scaling of capacities for DynamoDB.
func (e *Emulator) changeScaling(ctx context.Context, all []dynamo.ScalingChange) error {
	var changes []autoscaling.Change
	for _, c := range all {
		config := c.Policy.TargetTrackingScalingPolicyConfiguration
		changes = append(changes, autoscaling.Change{Account: c.Account, Table: c.Table, Index: c.Index, Write: c.Write,
			Disabled: c.Disabled, Settings: autoscaling.Settings{Min: c.Min, Max: c.Max, Policy: c.Policy.PolicyName,
				Target: config.TargetValue, DisableScaleIn: config.DisableScaleIn, ScaleInCooldown: config.ScaleInCooldown,
				ScaleOutCooldown: config.ScaleOutCooldown}})
	}
	err := e.scaling.Apply(ctx, changes)
	var refused *autoscaling.Error
	if errors.As(err, &refused) {
		return &dynamo.ScalingRefused{Message: refused.Message}
	}
	return err
}

// scalingSettings returns the auto scaling of a capacity as DynamoDB describes it; nil: there is none.
func (e *Emulator) scalingSettings(account, table, index string, write bool) *dynamo.ScalingSettings {
	s, ok := e.scaling.Settings(account, table, index, write)
	if !ok {
		return nil
	}
	d := &dynamo.ScalingSettings{MinimumUnits: s.Min, MaximumUnits: s.Max, AutoScalingRoleArn: s.RoleARN,
		ScalingPolicies: []dynamo.ScalingPolicy{}}
	if s.Policy != "" {
		d.ScalingPolicies = append(d.ScalingPolicies, dynamo.ScalingPolicy{PolicyName: s.Policy,
			TargetTrackingScalingPolicyConfiguration: dynamo.ScalingConfiguration{TargetValue: s.Target,
				DisableScaleIn: s.DisableScaleIn, ScaleInCooldown: s.ScaleInCooldown,
				ScaleOutCooldown: s.ScaleOutCooldown}})
	}
	return d
}
