package dynamo

// backupDetails is what the service tells of a backup itself.
type backupDetails struct {
	BackupArn              string
	BackupName             string
	BackupSizeBytes        int64
	BackupStatus           string
	BackupType             string
	BackupCreationDateTime float64
	BackupExpiryDateTime   float64 `json:",omitempty"`
}

// The states of backups, besides CREATING.
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
	KeySchema             []keySchemaElement
	TableCreationDateTime float64
	ProvisionedThroughput plainThroughput
	OnDemandThroughput    *onDemandThroughputDescription `json:",omitempty"`
	ItemCount             int64
	BillingMode           string
}

type plainThroughput struct{ ReadCapacityUnits, WriteCapacityUnits int64 }

// sourceTableFeatures are what a backup records of a table besides its items; no tags, for example.
type sourceTableFeatures struct {
	LocalSecondaryIndexes  []indexInfo            `json:",omitempty"`
	GlobalSecondaryIndexes []indexInfo            `json:",omitempty"`
	StreamDescription      *streamDescription     `json:",omitempty"`
	TimeToLiveDescription  *timeToLiveDescription `json:",omitempty"`
	SSEDescription         *sseDescription        `json:",omitempty"`
}

type indexInfo struct {
	IndexName             string
	KeySchema             []keySchemaElement
	Projection            projectionDescription
	ProvisionedThroughput *plainThroughput `json:",omitempty"` // of global indexes
}

type backupOutput struct{ BackupDescription backupDescription }

func (out *backupOutput) appendJSON(dst []byte) []byte { return appendMarshalled(dst, out) }

func (b *backup) details(status string) backupDetails {
	return backupDetails{b.ARN, b.Name, b.Bytes, status, b.Type, b.Created, b.Expires}
}

func (b *backup) describe(status string) *backupOutput {
	def := b.Definition
	d := backupDescription{BackupDetails: b.details(status), SourceTableDetails: sourceTableDetails{
		TableName: def.Name, TableId: def.UUID, TableArn: def.ARN, TableSizeBytes: b.Bytes, KeySchema: def.KeySchema, TableCreationDateTime: def.Created,
		ProvisionedThroughput: def.Throughput.plain(), OnDemandThroughput: (*OnDemandThroughputInput)(nil).describe(def.OnDemand),
		ItemCount: b.Items, BillingMode: def.BillingMode,
	}}
	f := &d.SourceTableFeatureDetails
	for _, x := range def.Local {
		f.LocalSecondaryIndexes = append(f.LocalSecondaryIndexes, indexInfo{x.Name, x.KeySchema, projectionDescription(x.Projection), nil})
	}
	for _, x := range def.Global {
		units := x.Throughput.plain()
		f.GlobalSecondaryIndexes = append(f.GlobalSecondaryIndexes, indexInfo{x.Name, x.KeySchema, projectionDescription(x.Projection), &units})
	}
	if def.Stream != nil {
		f.StreamDescription = &streamDescription{true, def.Stream.ViewType}
	}
	if def.TTLAttribute != "" {
		f.TimeToLiveDescription = &timeToLiveDescription{"ENABLED", def.TTLAttribute}
	}
	f.SSEDescription = def.SSE
	return &backupOutput{d}
}

func (u throughput) plain() plainThroughput {
	return plainThroughput{u.ReadCapacityUnits, u.WriteCapacityUnits}
}
