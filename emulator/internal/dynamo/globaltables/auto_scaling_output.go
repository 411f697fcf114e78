package globaltables

import (
	"cmp"
	"slices"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// autoScalingOutput is the auto scaling of all replicas of a table. (Form: ack-api-quirks DDB-TABLE-232 and
// DDB-TABLE-289, 2026-10-09; where it is enabled: the AWS CLI's example of DescribeTableReplicaAutoScaling.)
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
	AutoScalingDisabled bool `json:",omitempty"`
	engine.ScalingSettings
}

// describeScaling describes the auto scaling of a capacity of t; nil: there is none. A target without a policy is
// described as none, and the scaling of a table on demand as disabled, with its settings (ack-api-quirks DDB-TABLE-243
// and DDB-TABLE-317, 2026-10-09).
func describeScaling(t engine.Located, s *engine.ScalingSettings) autoScalingSettings {
	if s == nil || len(s.ScalingPolicies) == 0 {
		return autoScalingSettings{true, engine.ScalingSettings{ScalingPolicies: []engine.ScalingPolicy{}}}
	}
	return autoScalingSettings{t.Def.BillingMode == engine.OnDemand, *s}
}

func (out *autoScalingOutput) AppendJSON(dst []byte) []byte { return wire.AppendMarshaled(dst, out) }

// describeAutoScaling describes the replicas of an account's table, its own included, by region. An index that is
// being created is not described (ack-api-quirks DDB-TABLE-323, 2026-10-09).
func describeAutoScaling(a *engine.Account, t *engine.Table) *autoScalingOutput {
	d := tableAutoScaling{TableName: t.Def.Name, TableStatus: t.Status()}
	for _, o := range members(a, t) {
		r := replicaAutoScaling{RegionName: o.Def.Region(), GlobalSecondaryIndexes: []indexAutoScaling{},
			ReplicaProvisionedReadCapacityAutoScalingSettings:  describeScaling(o, o.ReadScaling("")),
			ReplicaProvisionedWriteCapacityAutoScalingSettings: describeScaling(o, o.WriteScaling("")),
			ReplicaStatus: o.Status()}
		for _, x := range o.Def.Global {
			if x.Backfilling {
				continue
			}
			r.GlobalSecondaryIndexes = append(r.GlobalSecondaryIndexes, indexAutoScaling{IndexName: x.Name,
				IndexStatus: engine.Active,
				ProvisionedReadCapacityAutoScalingSettings:  describeScaling(o, o.ReadScaling(x.Name)),
				ProvisionedWriteCapacityAutoScalingSettings: describeScaling(o, o.WriteScaling(x.Name))})
		}
		d.Replicas = append(d.Replicas, r)
	}
	return &autoScalingOutput{d}
}

// members returns an account's table and its replicas in other regions, by region.
func members(a *engine.Account, t *engine.Table) []engine.Located {
	all := append(t.Replicas(), engine.Located{Table: t, Account: a})
	slices.SortFunc(all, func(x, y engine.Located) int { return cmp.Compare(x.Def.Region(), y.Def.Region()) })
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
