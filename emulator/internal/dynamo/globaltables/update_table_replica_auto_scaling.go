package globaltables

import (
	"errors"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// UpdateTableReplicaAutoScalingInput changes the auto scaling of a table with replicas and of its indexes.
type UpdateTableReplicaAutoScalingInput struct {
	TableName                                 *string                       `check:"notnull,minlen=1,maxlen=1024"`
	GlobalSecondaryIndexUpdates               []IndexAutoScalingUpdateInput `check:"minlen=1"`
	ProvisionedWriteCapacityAutoScalingUpdate *AutoScalingSettingsUpdateInput
	ReplicaUpdates                            []ReplicaAutoScalingUpdateInput `check:"minlen=1"`
}

// IndexAutoScalingUpdateInput changes the scaling of an index's write capacity.
type IndexAutoScalingUpdateInput struct {
	IndexName                                 *string `check:"name,minlen=3,maxlen=255"`
	ProvisionedWriteCapacityAutoScalingUpdate *AutoScalingSettingsUpdateInput
}

// ReplicaAutoScalingUpdateInput changes the scaling of a replica's read capacity.
type ReplicaAutoScalingUpdateInput struct {
	RegionName                                      *string `check:"notnull"`
	ReplicaGlobalSecondaryIndexUpdates              []ReplicaIndexAutoScalingUpdateInput
	ReplicaProvisionedReadCapacityAutoScalingUpdate *AutoScalingSettingsUpdateInput
}

// ReplicaIndexAutoScalingUpdateInput changes the scaling of the read capacity of a replica's index.
type ReplicaIndexAutoScalingUpdateInput struct {
	IndexName                                *string `check:"name,minlen=3,maxlen=255"`
	ProvisionedReadCapacityAutoScalingUpdate *AutoScalingSettingsUpdateInput
}

func (in *UpdateTableReplicaAutoScalingInput) Decode(d *wire.Decoder) error {
	return d.NamedShape(in, &in.TableName)
}

func (in *UpdateTableReplicaAutoScalingInput) Check() error { return wire.CheckShape(in) }

func (in *UpdateTableReplicaAutoScalingInput) AppendResourceRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	return append(dst, engine.ResourceRef{Table: *in.TableName})
}

// UpdateTableReplicaAutoScaling changes the auto scaling of a table's replicas: that of writes in all regions, that of
// reads in those that the request names. The answer describes the previous settings. (ack-api-quirks DDB-TABLE-190,
// DDB-TABLE-194, DDB-TABLE-198, DDB-TABLE-238, DDB-TABLE-240 and DDB-TABLE-289, 2026-10-09.)
func UpdateTableReplicaAutoScaling(req *engine.Request,
	in *UpdateTableReplicaAutoScalingInput) (*autoScalingOutput, error) {
	t, err := replicaTable(req, *in.TableName)
	if err != nil {
		return nil, err
	}
	u := &scalingUpdate{account: req.Account, name: t.Def.Name, members: members(req.Account, t)}
	if err := u.addAll(in); err != nil {
		return nil, err
	}
	if t.Def.BillingMode != engine.Provisioned && u.enabled != "" {
		return nil, u.errOnDemand()
	}
	if len(u.changes) > 0 {
		change := req.Engine.ChangeScaling
		req.Afterwards = func() error { return refusal(change(req.BeginWait(), u.changes)) }
	}
	return describeAutoScaling(req.Account, t), nil
}

// refusal returns an error of Application Auto Scaling as the service passes it on (DDB-TABLE-253, 2026-10-09).
func refusal(err error) error {
	var refused *engine.ScalingRefused
	if errors.As(err, &refused) {
		return wire.ValidationError(refused.Message)
	}
	return err
}
