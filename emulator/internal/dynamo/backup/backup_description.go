package backup

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/control"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// backupDetails is the BackupDetails structure of the service.
type backupDetails struct {
	BackupArn              string
	BackupName             string
	BackupSizeBytes        int64
	BackupStatus           string
	BackupType             string
	BackupCreationDateTime float64
	BackupExpiryDateTime   float64 `json:",omitempty"`
}

// The statuses of backups, besides CREATING.
const (
	available = "AVAILABLE"
	deleted   = "DELETED"
)

type backupDescription struct {
	BackupDetails             backupDetails
	SourceTableDetails        sourceTableDetails
	SourceTableFeatureDetails sourceTableFeatures
}

type sourceTableDetails struct {
	TableName             string
	TableId               string
	TableArn              string
	TableSizeBytes        int64
	KeySchema             []engine.KeySchemaElement
	TableCreationDateTime float64
	ProvisionedThroughput throughputUnits
	OnDemandThroughput    *control.OnDemandThroughputDescription `json:",omitempty"`
	ItemCount             int64
	BillingMode           string
}

type throughputUnits struct{ ReadCapacityUnits, WriteCapacityUnits int64 }

// sourceTableFeatures are the settings of a table that a backup records in addition to its items. Tags, for example,
// are not among them.
type sourceTableFeatures struct {
	LocalSecondaryIndexes  []indexInfo                    `json:",omitempty"`
	GlobalSecondaryIndexes []indexInfo                    `json:",omitempty"`
	VectorIndexes          []control.VectorDescription    `json:",omitempty"`
	StreamDescription      *control.StreamDescription     `json:",omitempty"`
	TimeToLiveDescription  *control.TimeToLiveDescription `json:",omitempty"`
	SSEDescription         *engine.SSEDescription         `json:",omitempty"`
}

type indexInfo struct {
	IndexName             string
	KeySchema             []engine.KeySchemaElement
	Projection            control.ProjectionDescription
	ProvisionedThroughput *throughputUnits `json:",omitempty"` // of global indexes
}

type backupOutput struct{ BackupDescription backupDescription }

func (out *backupOutput) AppendJSON(dst []byte) []byte { return wire.AppendMarshaled(dst, out) }

func (b *Backup) details(status string) backupDetails {
	return backupDetails{b.ARN, b.Name, b.Bytes, status, b.Type, b.Created, b.Expires}
}

// describe describes a backup to a request that names it by arn, whose region may be another one. (ack-api-quirks
// DDB-BACKUP-012, 2026-10-09.)
func (b *Backup) describe(status, arn string) *backupOutput {
	def := b.Definition
	details := b.details(status)
	details.BackupArn = arn
	d := backupDescription{BackupDetails: details, SourceTableDetails: sourceTableDetails{
		TableName: def.Name, TableId: def.UUID, TableArn: def.ARN, TableSizeBytes: b.Bytes, KeySchema: def.KeySchema,
		TableCreationDateTime: def.Created,
		ProvisionedThroughput: newThroughputUnits(def.Throughput),
		OnDemandThroughput:    (*control.OnDemandThroughputInput)(nil).Describe(def.OnDemand),
		ItemCount:             b.Items, BillingMode: def.BillingMode,
	}}
	f := &d.SourceTableFeatureDetails
	for _, x := range def.Local {
		f.LocalSecondaryIndexes = append(f.LocalSecondaryIndexes, indexInfo{x.Name, x.KeySchema,
			control.ProjectionDescription(x.Projection), nil})
	}
	for _, x := range def.Global {
		units := newThroughputUnits(x.Throughput)
		f.GlobalSecondaryIndexes = append(f.GlobalSecondaryIndexes, indexInfo{x.Name, x.KeySchema,
			control.ProjectionDescription(x.Projection), &units})
	}
	for _, x := range def.Vectors {
		f.VectorIndexes = append(f.VectorIndexes, control.DescribeVectorSettings(x))
	}
	if def.Stream != nil {
		f.StreamDescription = &control.StreamDescription{StreamEnabled: true, StreamViewType: def.Stream.ViewType}
	}
	if def.TTLAttribute != "" {
		f.TimeToLiveDescription = &control.TimeToLiveDescription{TimeToLiveStatus: "ENABLED", AttributeName: def.TTLAttribute}
	}
	f.SSEDescription = def.SSE
	return &backupOutput{d}
}

func newThroughputUnits(u engine.Throughput) throughputUnits {
	return throughputUnits{u.ReadCapacityUnits, u.WriteCapacityUnits}
}
