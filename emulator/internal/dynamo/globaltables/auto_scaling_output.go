package globaltables

import (
	"cmp"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// autoScalingOutput is the auto scaling of all replicas of a table, which is disabled: the emulator has none of
// replicas. (Form: ack-api-quirks DDB-TABLE-232 and DDB-TABLE-289, 2026-10-09.)
type autoScalingOutput struct{ TableAutoScalingDescription tableAutoScaling }

type tableAutoScaling struct {
	TableName, TableStatus string
	Replicas               []replicaAutoScaling
}

type replicaAutoScaling struct {
	RegionName                                        string
	GlobalSecondaryIndexes                            []indexAutoScaling
	ReplicaProvisionedReadCapacityAutoScalingSettings autoScalingSettings

	ReplicaProvisionedWriteCapacityAutoScalingSettings autoScalingSettings
	ReplicaStatus                                      string
}

type indexAutoScaling struct {
	IndexName, IndexStatus                     string
	ProvisionedReadCapacityAutoScalingSettings autoScalingSettings

	ProvisionedWriteCapacityAutoScalingSettings autoScalingSettings
}

type autoScalingSettings struct {
	AutoScalingDisabled bool
	ScalingPolicies     []struct{}
}

func (out *autoScalingOutput) AppendJSON(dst []byte) []byte { return wire.AppendMarshaled(dst, out) }

// describeAutoScaling describes the replicas of a table, its own included, by region.
func describeAutoScaling(t *engine.Table) *autoScalingOutput {
	d := tableAutoScaling{TableName: t.Def.Name, TableStatus: t.Status()}
	for _, o := range members(t) {
		disabled := autoScalingSettings{true, []struct{}{}}
		r := replicaAutoScaling{RegionName: o.Def.Region(), GlobalSecondaryIndexes: []indexAutoScaling{},
			ReplicaProvisionedReadCapacityAutoScalingSettings:  disabled,
			ReplicaProvisionedWriteCapacityAutoScalingSettings: disabled, ReplicaStatus: o.Status()}
		for _, x := range o.Def.Global {
			r.GlobalSecondaryIndexes = append(r.GlobalSecondaryIndexes, indexAutoScaling{IndexName: x.Name,
				IndexStatus: engine.Active, ProvisionedReadCapacityAutoScalingSettings: disabled,
				ProvisionedWriteCapacityAutoScalingSettings: disabled})
		}
		d.Replicas = append(d.Replicas, r)
	}
	return &autoScalingOutput{d}
}

// members returns a table and its replicas in other regions, by region.
func members(t *engine.Table) []*engine.Table {
	all := []*engine.Table{t}
	for _, o := range t.Replicas() {
		all = append(all, o.Table)
	}
	slices.SortFunc(all, func(x, y *engine.Table) int { return cmp.Compare(x.Def.Region(), y.Def.Region()) })
	return all
}

// replicaTable returns a table that has replicas. Error: it has none, or does not exist.
func replicaTable(req *engine.Request, name string) (*engine.Table, error) {
	t, err := req.Account.NamedTable(name)
	if err != nil || t.Def.Replication == nil {
		return nil, wire.DynamoError("ResourceNotFoundException", noGlobalTable(name))
	}
	return t, nil
}
