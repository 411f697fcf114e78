package control

import (
	"slices"
	"strings"
	"time"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
)

// TableDescription is the DescribeTable representation of a table.
type TableDescription struct {
	AttributeDefinitions       []engine.AttributeDefinition `json:",omitempty"`
	TableName                  string
	KeySchema                  []engine.KeySchemaElement `json:",omitempty"`
	TableStatus                string
	CreationDateTime           float64 `json:",omitempty"`
	ProvisionedThroughput      throughputDescription
	TableSizeBytes             int64
	ItemCount                  int64
	TableArn                   string
	TableId                    string
	BillingModeSummary         *billingModeSummary            `json:",omitempty"`
	TableThroughputModeSummary *throughputModeSummary         `json:",omitempty"`
	LocalSecondaryIndexes      []indexDescription             `json:",omitempty"`
	GlobalSecondaryIndexes     []indexDescription             `json:",omitempty"`
	VectorIndexes              []vectorIndexDescription       `json:",omitempty"`
	StreamSpecification        *StreamDescription             `json:",omitempty"`
	LatestStreamLabel          string                         `json:",omitempty"`
	LatestStreamArn            string                         `json:",omitempty"`
	SSEDescription             *engine.SSEDescription         `json:",omitempty"`
	ArchivalSummary            *engine.ArchivalSummary        `json:",omitempty"`
	TableClassSummary          *tableClassSummary             `json:",omitempty"`
	OnDemandThroughput         *OnDemandThroughputDescription `json:",omitempty"`
	WarmThroughput             *warmThroughputDescription     `json:",omitempty"`
	RestoreSummary             *RestoreSummary                `json:",omitempty"`

	GlobalTableVersion                 string                `json:",omitempty"`
	Replicas                           *[]replicaDescription `json:",omitempty"`
	MultiRegionConsistency             string                `json:",omitempty"`
	GlobalTableWitnesses               []witnessDescription  `json:",omitempty"`
	GlobalTableSettingsReplicationMode string                `json:",omitempty"`

	DeletionProtectionEnabled bool
}

type throughputDescription struct {
	LastIncreaseDateTime   float64 `json:",omitempty"`
	LastDecreaseDateTime   float64 `json:",omitempty"`
	NumberOfDecreasesToday int64
	ReadCapacityUnits      int64
	WriteCapacityUnits     int64
}

type billingModeSummary struct {
	BillingMode                       string
	LastUpdateToPayPerRequestDateTime float64 `json:",omitempty"`
}

type throughputModeSummary struct {
	TableThroughputMode               string
	LastUpdateToPayPerRequestDateTime float64 `json:",omitempty"`
}

type indexDescription struct {
	IndexName  string
	KeySchema  []engine.KeySchemaElement
	Projection ProjectionDescription
	// IndexStatus is set for global indexes only, like the next four.
	IndexStatus           string                         `json:",omitempty"`
	Backfilling           *bool                          `json:",omitempty"`
	ProvisionedThroughput *throughputDescription         `json:",omitempty"`
	OnDemandThroughput    *OnDemandThroughputDescription `json:",omitempty"`
	WarmThroughput        *warmThroughputDescription     `json:",omitempty"`
	IndexSizeBytes        int64
	ItemCount             int64
	IndexArn              string
}

// ProjectionDescription is the DescribeTable representation of a projection.
type ProjectionDescription struct {
	ProjectionType   string
	NonKeyAttributes []string `json:",omitempty"`
}

// StreamDescription is the DescribeTable representation of a stream.
type StreamDescription struct {
	StreamEnabled  bool
	StreamViewType string
}

type tableClassSummary struct {
	TableClass         string
	LastUpdateDateTime float64 `json:",omitempty"`
}

// describeClass describes the class of a table, nil if it never had one. (ack-api-quirks DDB-TABLE-026 and
// DDB-TABLE-284, 2026-10-09.)
func describeClass(def *engine.Definition) *tableClassSummary {
	if def.Class == "" {
		return nil
	}
	return &tableClassSummary{def.Class, def.ClassChanged}
}

// OnDemandThroughputDescription is the DescribeTable representation of an on-demand maximum throughput; -1 is no
// maximum.
type OnDemandThroughputDescription struct {
	MaxReadRequestUnits  int64 `json:",omitempty"`
	MaxWriteRequestUnits int64 `json:",omitempty"`
}

// Describe returns the description of a table at the time now, in seconds since 1970, as if its last change were
// complete. Callers that make a change set the transitional statuses.
func Describe(t *engine.Table, now float64) *TableDescription {
	items, bytes := t.Stats.Counts()
	d := &TableDescription{
		AttributeDefinitions: attributesByName(t.Def.Attributes), TableName: t.Def.Name, KeySchema: t.Def.KeySchema,
		TableStatus: t.Status(), CreationDateTime: t.Def.Created,
		ProvisionedThroughput: describeThroughput(t.Def.Throughput, now), TableArn: t.Def.ARN, TableId: t.Def.UUID,
		TableSizeBytes: bytes, ItemCount: items,
		SSEDescription: t.Def.SSE, ArchivalSummary: t.Def.Archival, DeletionProtectionEnabled: t.Def.DeletionProtection,
	}
	for _, x := range t.Indexes {
		if x.Local {
			d.LocalSecondaryIndexes = append(d.LocalSecondaryIndexes, describeIndex(t, x, t.Def.Local, now))
		} else {
			d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, describeIndex(t, x, t.Def.Global, now))
		}
	}
	for _, x := range t.Def.Vectors {
		d.VectorIndexes = append(d.VectorIndexes, describeVector(t, x))
	}
	describeBilling(t.Def, d)
	describeStream(t.Def, d)
	d.TableClassSummary = describeClass(t.Def)
	d.OnDemandThroughput = (*OnDemandThroughputInput)(nil).Describe(t.Def.OnDemand)
	d.WarmThroughput = describeWarmThroughput(t.Stats, t.Def.Warm)
	describeReplicas(t, d)
	return d
}

// attributesByName returns the definitions by name, whatever the order of the requests that made them, as the service
// lists them (ack-api-quirks DDB-TABLE-125, 2026-10-08).
func attributesByName(definitions []engine.AttributeDefinition) []engine.AttributeDefinition {
	sorted := slices.Clone(definitions)
	slices.SortFunc(sorted, func(a, b engine.AttributeDefinition) int {
		return strings.Compare(a.AttributeName, b.AttributeName)
	})
	return sorted
}

// describeProjection describes a projection with its attributes by name. (The same finding.)
func describeProjection(p engine.Projection) ProjectionDescription {
	return ProjectionDescription{p.ProjectionType, slices.Sorted(slices.Values(p.NonKeyAttributes))}
}

func describeIndex(t *engine.Table, x *engine.Index, definitions []engine.IndexDefinition,
	now float64) indexDescription {
	def := definitions[engine.IndexAt(definitions, x.Name)]
	items, bytes := x.Stats.Counts()
	d := indexDescription{
		IndexName: x.Name, KeySchema: def.KeySchema, Projection: describeProjection(def.Projection),
		IndexSizeBytes: bytes, ItemCount: items, IndexArn: t.Def.ARN + "/index/" + x.Name,
	}
	if !x.Local {
		units := describeThroughput(def.Throughput, now)
		d.IndexStatus, d.ProvisionedThroughput = engine.Active, &units
		d.OnDemandThroughput = (*OnDemandThroughputInput)(nil).Describe(def.OnDemand)
		d.WarmThroughput = describeWarmThroughput(x.Stats, def.Warm)
	}
	if def.Backfilling {
		d.IndexStatus, d.Backfilling = engine.Creating, &def.Backfilling
	}
	return d
}

func describeThroughput(u engine.Throughput, now float64) throughputDescription {
	return throughputDescription{u.LastIncrease, u.LastDecrease, decreasedToday(u, now), u.ReadCapacityUnits,
		u.WriteCapacityUnits}
}

// describePrevious describes the previous units and number of decreases, which a change replaces when it is complete.
func (d *throughputDescription) describePrevious(u engine.Throughput, now float64) {
	d.ReadCapacityUnits, d.WriteCapacityUnits = u.ReadCapacityUnits, u.WriteCapacityUnits
	d.NumberOfDecreasesToday = decreasedToday(u, now)
}

// describeBilling describes the billing mode if it is or was on-demand. Other tables have no BillingModeSummary.
func describeBilling(def *engine.Definition, d *TableDescription) {
	if def.BillingMode == engine.OnDemand || def.OnDemandSince != 0 {
		d.BillingModeSummary = &billingModeSummary{def.BillingMode, def.OnDemandSince}
		d.TableThroughputModeSummary = &throughputModeSummary{def.BillingMode, def.OnDemandSince}
	}
}

// describeStream describes the newest stream, also if it is disabled. (ack-api-quirks DDB-TABLE-050, 2026-10-09.)
func describeStream(def *engine.Definition, d *TableDescription) {
	d.LatestStreamLabel = def.StreamLabel()
	if def.Stream != nil {
		d.StreamSpecification = &StreamDescription{true, def.Stream.ViewType}
	}
	if d.LatestStreamLabel != "" {
		d.LatestStreamArn = def.ARN + "/stream/" + d.LatestStreamLabel
	}
}

// SetIndexStatuses sets the status of every global and vector index in the description.
func (d *TableDescription) SetIndexStatuses(status string) {
	for i := range d.GlobalSecondaryIndexes {
		d.GlobalSecondaryIndexes[i].IndexStatus = status
	}
	for i := range d.VectorIndexes {
		d.VectorIndexes[i].IndexStatus = status
	}
}

// describeNewWarmThroughput describes the warm throughput in the answer of CreateTable: only what the request set, as
// UPDATING.
func (d *TableDescription) describeNewWarmThroughput(in *CreateTableInput) {
	if d.WarmThroughput.Status = engine.Updating; in.WarmThroughput.Empty() {
		d.WarmThroughput = nil
	}
	for _, x := range in.GlobalSecondaryIndexes {
		for i := range d.GlobalSecondaryIndexes {
			g := &d.GlobalSecondaryIndexes[i]
			if g.IndexName != *x.IndexName {
				continue
			}
			if g.WarmThroughput.Status = engine.Updating; x.WarmThroughput.Empty() {
				g.WarmThroughput = nil
			}
		}
	}
}

// ClearBillingTime removes the time at which the table became on-demand.
func (d *TableDescription) ClearBillingTime() { d.setBillingTime(0) }

// setBillingTime changes the time, in seconds since 1970, at which the table became on-demand; 0 is none.
func (d *TableDescription) setBillingTime(since float64) {
	if d.BillingModeSummary != nil {
		d.BillingModeSummary.LastUpdateToPayPerRequestDateTime = since
		d.TableThroughputModeSummary.LastUpdateToPayPerRequestDateTime = since
	}
}

// dayOf returns the UTC day of a time in seconds since 1970.
func dayOf(seconds float64) string { return time.Unix(int64(seconds), 0).UTC().Format(time.DateOnly) }

// RestoreSummary is the source of a table. It is described only while the table is being restored.
type RestoreSummary struct {
	SourceBackupArn   string `json:",omitempty"`
	SourceTableArn    string
	RestoreDateTime   float64
	RestoreInProgress bool
}
