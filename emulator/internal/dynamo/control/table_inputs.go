package control

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// The structures of control-plane requests, in the form that package shape reads. Any member may be missing.

// AttributeDefinitionInput is the type of a key attribute. (Order of the members: ack-api-quirks DDB-TABLE-457,
// 2026-10-09, also of those below, of the constraints on names of indexes, and of the values of enumerations.)
type AttributeDefinitionInput struct {
	AttributeType *string `check:"notnull,enum=B|N|S"`
	AttributeName *string `check:"notnull,minlen=1,maxlen=255"`
}

// KeySchemaElementInput is one attribute of a primary key.
type KeySchemaElementInput struct {
	AttributeName *string `check:"notnull,minlen=1,maxlen=255"`
	KeyType       *string `check:"notnull,enum=HASH|RANGE"`
}

// ProjectionInput lists the attributes that an index copies from its table.
type ProjectionInput struct {
	ProjectionType   *string  `check:"enum=ALL|INCLUDE|KEYS_ONLY"`
	NonKeyAttributes []string `check:"minlen=1,maxlen=20,eachminlen=1,eachmaxlen=255"`
}

// ProvisionedThroughputInput is provisioned capacity, in units per second.
type ProvisionedThroughputInput struct {
	WriteCapacityUnits *int64 `check:"notnull,min=1"`
	ReadCapacityUnits  *int64 `check:"notnull,min=1"`
}

// GlobalSecondaryIndexInput defines a global secondary index. The messages about the length of the keys of indexes were
// recorded by nubo-db/dynoxide (eu-west-2, 2026-10-09).
type GlobalSecondaryIndexInput struct {
	IndexName             *string                 `check:"notnull,minlen=3,name,maxlen=255"`
	KeySchema             []KeySchemaElementInput `check:"notnull,minlen=1,maxelements=8"`
	Projection            *ProjectionInput        `check:"notnull"`
	ProvisionedThroughput *ProvisionedThroughputInput
	OnDemandThroughput    *OnDemandThroughputInput
	WarmThroughput        *WarmThroughputInput
}

// LocalSecondaryIndexInput defines a local secondary index.
type LocalSecondaryIndexInput struct {
	IndexName  *string                 `check:"notnull,minlen=3,name,maxlen=255"`
	KeySchema  []KeySchemaElementInput `check:"notnull,minlen=1,maxelements=2"`
	Projection *ProjectionInput        `check:"notnull"`
}

// StreamSpecificationInput turns the stream of a table on or off, and sets what its records contain.
type StreamSpecificationInput struct {
	StreamEnabled  *bool   `check:"notnull"`
	StreamViewType *string `check:"enum=OLD_IMAGE|KEYS_ONLY|NEW_AND_OLD_IMAGES|NEW_IMAGE"`
}

// OnDemandThroughputInput limits the request units per second of a table or an index on demand.
type OnDemandThroughputInput struct {
	MaxReadRequestUnits  *int64
	MaxWriteRequestUnits *int64
}

// TagInput is a tag of a resource.
type TagInput struct {
	Key   *string
	Value *string
}

// checkNewTableName checks the table name for CreateTable and UpdateTable, which report it alone and before anything
// else. (UpdateTable: ack-api-quirks DDB-TABLE-442, 2026-10-09.)
func checkNewTableName(name *string) error {
	if name == nil {
		return MissingTableName()
	}
	return wire.CheckShape(&struct {
		TableName *string `check:"name,minlen=3,maxlen=255"`
	}{name})
}

// CheckTableName checks the table name for the other operations on tables, which have another message about its length
// (recorded by dynalite, from 2013).
func CheckTableName(name *string) error {
	if name == nil {
		return MissingTableName()
	}
	if err := CheckTableNameLength(*name); err != nil {
		return err
	}
	return checkNewTableName(name)
}

// CheckTableNameLength returns an error for a name that is too short or too long.
func CheckTableNameLength(name string) error {
	if len(name) < 3 || len(name) > 255 {
		return wire.ValidationError("TableName must be at least 3 characters long and at most 255 characters long")
	}
	return nil
}

// MissingTableName returns the error for a request without a table name.
func MissingTableName() *wire.Error {
	return wire.ValidationError("The parameter 'TableName' is required but was not present in the request")
}

func keySchemaOf(in []KeySchemaElementInput) []engine.KeySchemaElement {
	out := make([]engine.KeySchemaElement, len(in))
	for i, e := range in {
		out[i] = engine.KeySchemaElement{AttributeName: *e.AttributeName, KeyType: *e.KeyType}
	}
	return out
}

func attributesOf(in []AttributeDefinitionInput) []engine.AttributeDefinition {
	out := make([]engine.AttributeDefinition, len(in))
	for i, d := range in {
		out[i] = engine.AttributeDefinition{AttributeName: *d.AttributeName, AttributeType: *d.AttributeType}
	}
	return out
}

func (in *ProjectionInput) projection() engine.Projection {
	return engine.Projection{ProjectionType: wire.OrZero(in.ProjectionType), NonKeyAttributes: in.NonKeyAttributes}
}

// Throughput converts the provisioned throughput; zero for nil.
func (in *ProvisionedThroughputInput) Throughput() engine.Throughput {
	if in == nil {
		return engine.Throughput{}
	}
	return engine.Throughput{ReadCapacityUnits: *in.ReadCapacityUnits, WriteCapacityUnits: *in.WriteCapacityUnits}
}

// Definition converts the index, giving it an id.
func (in *GlobalSecondaryIndexInput) Definition(id uint32) engine.IndexDefinition {
	return engine.IndexDefinition{
		Name: *in.IndexName, ID: id, KeySchema: keySchemaOf(in.KeySchema),
		Projection: in.Projection.projection(), Throughput: in.ProvisionedThroughput.Throughput(),
		OnDemand: in.OnDemandThroughput.Apply(engine.OnDemandThroughput{}), Warm: in.WarmThroughput.toWarmThroughput(),
	}
}

// Definition converts the index, giving it an id.
func (in *LocalSecondaryIndexInput) Definition(id uint32) engine.IndexDefinition {
	return engine.IndexDefinition{Name: *in.IndexName, ID: id, KeySchema: keySchemaOf(in.KeySchema),
		Projection: in.Projection.projection()}
}
