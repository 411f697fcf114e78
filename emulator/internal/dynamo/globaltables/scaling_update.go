package globaltables

import (
	"slices"
	"strings"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// scalingUpdate collects the changes of UpdateTableReplicaAutoScaling. The messages are those of ack-api-quirks
// DDB-TABLE-190, DDB-TABLE-239, DDB-TABLE-241, DDB-TABLE-242, DDB-TABLE-253, DDB-TABLE-255, DDB-TABLE-323 and
// DDB-TABLE-446, 2026-10-09, except where a function says otherwise.
type scalingUpdate struct {
	account *engine.Account
	name    string
	members []engine.Located
	changes []engine.ScalingChange
	enabled string // the first setting that enables scaling, as the service names it; empty: none
}

func (u *scalingUpdate) addAll(in *UpdateTableReplicaAutoScalingInput) error {
	if in.ProvisionedWriteCapacityAutoScalingUpdate == nil && in.GlobalSecondaryIndexUpdates == nil &&
		in.ReplicaUpdates == nil {
		return u.invalid(" because at least one update parameter must be specified.")
	}
	if err := u.checkRegions(in.ReplicaUpdates); err != nil {
		return err
	}
	const table = "GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate"
	if err := u.add(table, u.members, nil, true, in.ProvisionedWriteCapacityAutoScalingUpdate); err != nil {
		return err
	}
	const index = "GlobalTableGlobalSecondaryIndexSettingsUpdate"
	for _, x := range in.GlobalSecondaryIndexUpdates {
		if err := u.add(index, u.members, x.IndexName, true, x.ProvisionedWriteCapacityAutoScalingUpdate); err != nil {
			return err
		}
	}
	for _, r := range in.ReplicaUpdates {
		if err := u.addReplica(&r); err != nil {
			return err
		}
	}
	return nil
}

// checkRegions checks that updates of replicas name each replica once, and change something.
func (u *scalingUpdate) checkRegions(all []ReplicaAutoScalingUpdateInput) error {
	seen := map[string]bool{}
	for _, r := range all {
		region := *r.RegionName
		if seen[region] {
			return u.invalid(" because the regions: ‘[" + region + "]’ were specified more than once.")
		}
		seen[region] = true
		if r.ReplicaProvisionedReadCapacityAutoScalingUpdate == nil && r.ReplicaGlobalSecondaryIndexUpdates == nil {
			return u.invalid(" because at least one update parameter must be specified for region: ‘" + region + "’.")
		}
	}
	return nil
}

// addReplica adds the changes of reads in a region.
func (u *scalingUpdate) addReplica(in *ReplicaAutoScalingUpdateInput) error {
	at := slices.IndexFunc(u.members, func(o engine.Located) bool { return o.Def.Region() == *in.RegionName })
	if at < 0 {
		return u.notFound("a replica does not exist in regions: ‘[" + *in.RegionName + "]’.")
	}
	replica := u.members[at : at+1]
	err := u.add("ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate", replica, nil, false,
		in.ReplicaProvisionedReadCapacityAutoScalingUpdate)
	if err != nil {
		return err
	}
	for _, x := range in.ReplicaGlobalSecondaryIndexUpdates {
		err := u.add("ReplicaGlobalSecondaryIndexSettingsUpdate", replica, x.IndexName, false,
			x.ProvisionedReadCapacityAutoScalingUpdate)
		if err != nil {
			return err
		}
	}
	return nil
}

// add adds the change of a capacity in some regions, of the table or of its index if that is not nil. An index that is
// being created does not exist yet (DDB-TABLE-323).
func (u *scalingUpdate) add(setting string, in []engine.Located, index *string, write bool,
	update *AutoScalingSettingsUpdateInput) error {
	name := wire.OrZero(index)
	indexes := u.members[0].Def.Global
	if at := engine.IndexAt(indexes, name); index != nil && (at < 0 || indexes[at].Backfilling) {
		if write {
			return u.notFound("the global secondary indexes with names: ‘[" + name + "]’ do not exist.")
		}
		return u.notFound("a global secondary index with name: ‘" + name + "’ does not exist in region: ‘" +
			in[0].Def.Region() + "’.")
	}
	if update == nil {
		return nil
	}
	change, err := u.changeOf(update)
	if err != nil {
		return err
	}
	if !change.Disabled && u.enabled == "" {
		u.enabled = setting
	}
	for _, o := range in {
		change.Account, change.Table, change.Index, change.Write = o.Account.Name, u.name, name, write
		u.changes = append(u.changes, change)
	}
	return nil
}

// changeOf returns the change that an update makes.
func (u *scalingUpdate) changeOf(in *AutoScalingSettingsUpdateInput) (engine.ScalingChange, error) {
	disabled := wire.OrZero(in.AutoScalingDisabled)
	var missing, given []string
	for _, p := range []struct {
		name string
		set  bool
	}{{"MaximumUnits", in.MaximumUnits != nil}, {"ScalingPolicyUpdate", in.ScalingPolicyUpdate != nil},
		{"MinimumUnits", in.MinimumUnits != nil}} {
		if p.set {
			given = append(given, "'"+p.name+"'")
		} else {
			missing = append(missing, "'"+p.name+"'")
		}
	}
	role := wire.OrZero(in.AutoScalingRoleArn)
	switch {
	case disabled && len(given) > 0:
		return engine.ScalingChange{}, wire.ValidationError("Failed to update settings for global table with name ‘" +
			u.name + "’: Parameters " + strings.Join(given, ", ") + " must be left blank when disabling auto scaling.")
	case disabled:
		return engine.ScalingChange{Disabled: true}, nil
	case len(missing) > 0:
		return engine.ScalingChange{}, u.invalid(": Parameters " + strings.Join(missing, ", ") +
			" are required unless auto scaling is being disabled.")
	case role != "" && !strings.HasSuffix(role, "/AWSServiceRoleForApplicationAutoScaling_DynamoDBTable"):
		return engine.ScalingChange{}, u.errRole(role)
	}
	config := in.ScalingPolicyUpdate.TargetTrackingScalingPolicyConfiguration
	return engine.ScalingChange{Min: *in.MinimumUnits, Max: *in.MaximumUnits, Policy: engine.ScalingPolicy{
		PolicyName: wire.OrZero(in.ScalingPolicyUpdate.PolicyName),
		TargetTrackingScalingPolicyConfiguration: engine.ScalingConfiguration{TargetValue: float64(*config.TargetValue),
			DisableScaleIn: config.DisableScaleIn, ScaleInCooldown: seconds(config.ScaleInCooldown),
			ScaleOutCooldown: seconds(config.ScaleOutCooldown)}}}, nil
}

func seconds(n *int32) *int {
	if n == nil {
		return nil
	}
	s := int(*n)
	return &s
}

func (u *scalingUpdate) invalid(why string) error {
	return wire.ValidationError("Failed to update settings for global table with name: ‘" + u.name + "’" + why)
}

func (u *scalingUpdate) notFound(why string) error {
	return wire.DynamoError("ResourceNotFoundException",
		"Failed to update settings for global table with name: ‘"+u.name+"’ because "+why)
}

// errRole returns the error for a role other than the one that is linked to the service, which DynamoDB cannot pass.
// The name of the session was not recorded.
func (u *scalingUpdate) errRole(role string) error {
	account := strings.Split(u.account.ARN("dynamodb", ""), ":")[4]
	return wire.ValidationError("User: arn:aws:sts::" + account + ":assumed-role/AWSServiceRoleForDynamoDBReplication/" +
		"DynamoDBReplication is not authorized to perform: iam:PassRole on resource: " + role +
		" because no identity-based policy allows the iam:PassRole action")
}

// errOnDemand returns the error for scaling of a table on demand.
func (u *scalingUpdate) errOnDemand() error {
	var regions []string
	for _, o := range u.members {
		regions = append(regions, "'"+strings.ToUpper(o.Def.Region())+"'")
	}
	return wire.ValidationError("Failed to update global table with name ‘" + u.name + "‘. Replicas " +
		strings.Join(regions, ", ") + " BillingMode is PayPerRequest. You must convert table's BillingMode to PROVISIONED " +
		"to set parameters: '" + u.enabled + "'.")
}
