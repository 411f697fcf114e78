package globaltables

import (
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

// UpdateTableReplicaAutoScaling returns an error: the table has no replicas, or does not exist.
func UpdateTableReplicaAutoScaling(_ *engine.Request, in *UpdateTableReplicaAutoScalingInput) (*noOutput, error) {
	return nil, withoutReplicas(*in.TableName)
}
