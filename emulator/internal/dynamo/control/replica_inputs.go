package control

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// ReplicaUpdateInput adds, changes or removes a replica of a table.
type ReplicaUpdateInput struct {
	Create *NewReplicaInput
	Update *ReplicaSettingsInput
	Delete *RegionInput
}

// NewReplicaInput is a replica to add. It is checked separately that it has a region (checkReplicaUpdates).
type NewReplicaInput struct {
	RegionName                    *string
	KMSMasterKeyId                *string
	ProvisionedThroughputOverride *ReadCapacityOverrideInput
	OnDemandThroughputOverride    *ReadMaximumOverrideInput
	GlobalSecondaryIndexes        []ReplicaIndexInput `check:"minlen=1"`
	TableClassOverride            *string             `check:"enum=STANDARD|STANDARD_INFREQUENT_ACCESS"`
}

// ReplicaSettingsInput is a replica, and in what it differs from the table.
type ReplicaSettingsInput struct {
	RegionName                    *string `check:"notnull"`
	KMSMasterKeyId                *string
	ProvisionedThroughputOverride *ReadCapacityOverrideInput
	OnDemandThroughputOverride    *ReadMaximumOverrideInput
	GlobalSecondaryIndexes        []ReplicaIndexInput `check:"minlen=1"`
	TableClassOverride            *string             `check:"enum=STANDARD|STANDARD_INFREQUENT_ACCESS"`
}

// ReplicaIndexInput is in what an index of a replica differs from that of the table.
type ReplicaIndexInput struct {
	IndexName                     *string `check:"notnull,name,minlen=3,maxlen=255"`
	ProvisionedThroughputOverride *ReadCapacityOverrideInput
	OnDemandThroughputOverride    *ReadMaximumOverrideInput
}

// ReadCapacityOverrideInput is the read capacity of a replica, in units per second.
type ReadCapacityOverrideInput struct {
	ReadCapacityUnits *int64 `check:"min=1"`
}

// ReadMaximumOverrideInput is the maximum read throughput of a replica on demand, in units per second; -1 is none.
type ReadMaximumOverrideInput struct{ MaxReadRequestUnits *int64 }

// RegionInput names a region.
type RegionInput struct {
	RegionName *string `check:"notnull"`
}

// WitnessUpdateInput adds or removes the witness of a global table with multi-Region strong consistency.
type WitnessUpdateInput struct {
	Create *RegionInput
	Delete *RegionInput
}

// region returns the region of an update that has one action.
func (in *ReplicaUpdateInput) region() string {
	switch {
	case in.Create != nil:
		return *in.Create.RegionName
	case in.Update != nil:
		return *in.Update.RegionName
	}
	return *in.Delete.RegionName
}

func (in *ReplicaUpdateInput) actions() (n int) {
	for _, set := range []bool{in.Create != nil, in.Update != nil, in.Delete != nil} {
		if set {
			n++
		}
	}
	return n
}

// overrides reports whether a replica differs from the table.
func (in *ReplicaSettingsInput) overrides() bool {
	for _, x := range in.GlobalSecondaryIndexes {
		if x.ProvisionedThroughputOverride != nil || x.OnDemandThroughputOverride != nil {
			return true
		}
	}
	return in.KMSMasterKeyId != nil || in.ProvisionedThroughputOverride != nil ||
		in.OnDemandThroughputOverride != nil || in.TableClassOverride != nil
}

// AppendImpliedRefs appends the permissions that changes of replicas need, besides UpdateTable (AWS, "DynamoDB global
// tables security").
func (in *UpdateTableInput) AppendImpliedRefs(dst []engine.ResourceRef) []engine.ResourceRef {
	for _, update := range in.ReplicaUpdates {
		for _, c := range []struct {
			action string
			set    bool
		}{{"CreateTableReplica", update.Create != nil}, {"DeleteTableReplica", update.Delete != nil}} {
			if c.set {
				dst = append(dst, engine.ResourceRef{Action: c.action, Table: wire.OrZero(in.TableName)})
			}
		}
	}
	return dst
}
