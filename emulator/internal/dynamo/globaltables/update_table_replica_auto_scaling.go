package globaltables

import (
	"strings"

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

// UpdateTableReplicaAutoScaling disables auto scaling, which is disabled. Enabling it fails: on demand as in the
// service (ack-api-quirks DDB-TABLE-190, 2026-10-09), and otherwise because the emulator has none of replicas.
func UpdateTableReplicaAutoScaling(req *engine.Request,
	in *UpdateTableReplicaAutoScalingInput) (*autoScalingOutput, error) {
	t, err := replicaTable(req, *in.TableName)
	if err != nil {
		return nil, err
	}
	setting := in.enabled()
	switch {
	case setting == "":
		return describeAutoScaling(req.Account, t), nil
	case t.Def.BillingMode == engine.Provisioned:
		return nil, wire.ParameterError(setting + " is not supported by this emulator")
	}
	var regions []string
	for _, o := range members(req.Account, t) {
		regions = append(regions, "'"+strings.ToUpper(o.Def.Region())+"'")
	}
	return nil, wire.ValidationError("Failed to update global table with name ‘" + t.Def.Name + "‘. Replicas " +
		strings.Join(regions, ", ") + " BillingMode is PayPerRequest. You must convert table's BillingMode to PROVISIONED " +
		"to set parameters: '" + setting + "'.")
}

// enabled returns the name, in the service's message, of the setting that a request enables; empty: none.
func (in *UpdateTableReplicaAutoScalingInput) enabled() string {
	if in.ProvisionedWriteCapacityAutoScalingUpdate.enables() {
		return "GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate"
	}
	for _, x := range in.GlobalSecondaryIndexUpdates {
		if x.ProvisionedWriteCapacityAutoScalingUpdate.enables() {
			return "GlobalTableGlobalSecondaryIndexSettingsUpdate"
		}
	}
	for _, r := range in.ReplicaUpdates {
		if r.ReplicaProvisionedReadCapacityAutoScalingUpdate.enables() {
			return "ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate"
		}
		for _, x := range r.ReplicaGlobalSecondaryIndexUpdates {
			if x.ProvisionedReadCapacityAutoScalingUpdate.enables() {
				return "ReplicaGlobalSecondaryIndexSettingsUpdate"
			}
		}
	}
	return ""
}

// enables reports whether the settings are anything but disabled.
func (in *AutoScalingSettingsUpdateInput) enables() bool {
	return in != nil && !wire.OrZero(in.AutoScalingDisabled)
}
