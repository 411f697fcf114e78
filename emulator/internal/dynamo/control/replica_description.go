package control

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
)

// How a table with replicas is described (ack-api-quirks DDB-TABLE-201, DDB-TABLE-229, DDB-TABLE-250, DDB-TABLE-259,
// DDB-TABLE-294 and DDB-TABLE-295, 2026-10-09).

const (
	globalTableVersion = "2019.11.21"
	settingsMode       = "ENABLED_WITH_OVERRIDES"
)

// replicaDescription is the DescribeTable representation of a replica in another region. Members that it has in common
// with the table are missing.
type replicaDescription struct {
	RegionName                         string
	ReplicaStatus                      string
	KMSMasterKeyId                     string                     `json:",omitempty"`
	ProvisionedThroughputOverride      *readCapacityOverride      `json:",omitempty"`
	OnDemandThroughputOverride         *readMaximumOverride       `json:",omitempty"`
	WarmThroughput                     *warmThroughputDescription `json:",omitempty"`
	GlobalSecondaryIndexes             []replicaIndexDescription  `json:",omitempty"`
	ReplicaTableClassSummary           *tableClassSummary         `json:",omitempty"`
	GlobalTableSettingsReplicationMode string
}

type replicaIndexDescription struct {
	IndexName                     string
	ProvisionedThroughputOverride *readCapacityOverride      `json:",omitempty"`
	OnDemandThroughputOverride    *readMaximumOverride       `json:",omitempty"`
	WarmThroughput                *warmThroughputDescription `json:",omitempty"`
}

type readCapacityOverride struct{ ReadCapacityUnits int64 }

type readMaximumOverride struct{ MaxReadRequestUnits int64 }

// witnessDescription is the DescribeTable representation of a witness.
type witnessDescription struct{ RegionName, WitnessStatus string }

// describeReplicas describes the replicas of a table.
func describeReplicas(t *engine.Table, d *TableDescription) {
	r := t.Def.Replication
	if r == nil {
		return
	}
	all := []replicaDescription{}
	for _, o := range t.Replicas() {
		if isListed(o) {
			all = append(all, describeReplica(t.Def, o))
		}
	}
	d.Replicas, d.GlobalTableVersion, d.GlobalTableSettingsReplicationMode = &all, globalTableVersion, settingsMode
	if r.Strong {
		d.MultiRegionConsistency = "STRONG"
	}
	if r.Witness != "" {
		d.GlobalTableWitnesses = []witnessDescription{{r.Witness, engine.Active}}
	}
}

// describeReplica describes another replica of a table.
func describeReplica(own *engine.Definition, t engine.Located) replicaDescription {
	d := replicaDescription{RegionName: t.Def.Region(), ReplicaStatus: t.Status(),
		ProvisionedThroughputOverride: overridden(own.Throughput, t.Def.Throughput),
		OnDemandThroughputOverride:    limited(own.OnDemand, t.Def.OnDemand),
		WarmThroughput:                describeWarmThroughput(t.Stats, t.Def.Warm), GlobalTableSettingsReplicationMode: settingsMode}
	if transition := TransitionOf(t.Account, own.Name); transition != nil {
		d.ReplicaStatus = transition.Status
	}
	if t.Def.SSE != nil {
		d.KMSMasterKeyId = t.Def.SSE.KMSMasterKeyArn
	}
	d.ReplicaTableClassSummary = describeClass(t.Def)
	for _, x := range t.Indexes {
		at := engine.IndexAt(own.Global, x.Name)
		if x.Local || at < 0 {
			continue
		}
		def := t.Def.Global[engine.IndexAt(t.Def.Global, x.Name)]
		d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, replicaIndexDescription{IndexName: x.Name,
			ProvisionedThroughputOverride: overridden(own.Global[at].Throughput, def.Throughput),
			OnDemandThroughputOverride:    limited(own.Global[at].OnDemand, def.OnDemand),
			WarmThroughput:                describeWarmThroughput(x.Stats, def.Warm)})
	}
	return d
}

// overridden returns the read capacity of a replica if it is another one than here.
func overridden(own, there engine.Throughput) *readCapacityOverride {
	if own.ReadCapacityUnits == there.ReadCapacityUnits {
		return nil
	}
	return &readCapacityOverride{there.ReadCapacityUnits}
}

// limited returns the maximum read throughput of a replica if it is another one than here; -1 is none.
func limited(own, there engine.OnDemandThroughput) *readMaximumOverride {
	switch {
	case own.Reads == there.Reads:
		return nil
	case there.Reads == 0:
		return &readMaximumOverride{-1}
	}
	return &readMaximumOverride{there.Reads}
}
