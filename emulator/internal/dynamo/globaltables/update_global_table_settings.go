package globaltables

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// UpdateGlobalTableSettingsInput changes the capacity of a global table and of its replicas, in units per second.
type UpdateGlobalTableSettingsInput struct {
	GlobalTableName        *string `check:"notnull,name,minlen=3,maxlen=255"`
	GlobalTableBillingMode *string `check:"enum=PROVISIONED|PAY_PER_REQUEST"`

	GlobalTableProvisionedWriteCapacityUnits                     *int64 `check:"min=1"`
	GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate *AutoScalingSettingsUpdateInput
	GlobalTableGlobalSecondaryIndexSettingsUpdate                []GlobalTableIndexSettingsInput `check:"minlen=1,maxlen=20"`
	ReplicaSettingsUpdate                                        []ReplicaSettingsUpdateInput    `check:"minlen=1,maxlen=50"`
}

// GlobalTableIndexSettingsInput changes the write capacity of an index in all regions.
type GlobalTableIndexSettingsInput struct {
	IndexName                                         *string `check:"notnull,name,minlen=3,maxlen=255"`
	ProvisionedWriteCapacityUnits                     *int64  `check:"min=1"`
	ProvisionedWriteCapacityAutoScalingSettingsUpdate *AutoScalingSettingsUpdateInput
}

// ReplicaSettingsUpdateInput changes the read capacity of a replica.
type ReplicaSettingsUpdateInput struct {
	RegionName                                              *string `check:"notnull"`
	ReplicaProvisionedReadCapacityUnits                     *int64  `check:"min=1"`
	ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate *AutoScalingSettingsUpdateInput
	ReplicaGlobalSecondaryIndexSettingsUpdate               []ReplicaIndexSettingsInput `check:"minlen=1,maxlen=20"`
	ReplicaTableClass                                       *string                     `check:"enum=STANDARD|STANDARD_INFREQUENT_ACCESS"`
}

// ReplicaIndexSettingsInput changes the read capacity of an index in one region.
type ReplicaIndexSettingsInput struct {
	IndexName                                        *string `check:"notnull,name,minlen=3,maxlen=255"`
	ProvisionedReadCapacityUnits                     *int64  `check:"min=1"`
	ProvisionedReadCapacityAutoScalingSettingsUpdate *AutoScalingSettingsUpdateInput
}

func (in *UpdateGlobalTableSettingsInput) Decode(d *wire.Decoder) error {
	return shape.Read(&d.Reader, in)
}

func (in *UpdateGlobalTableSettingsInput) Check() error { return wire.CheckShape(in) }

// UpdateGlobalTableSettings returns an error: no global table exists.
func UpdateGlobalTableSettings(_ *engine.Request, in *UpdateGlobalTableSettingsInput) (*noOutput, error) {
	return nil, notFound("", *in.GlobalTableName)
}
