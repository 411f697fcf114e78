package dynamo

import (
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"
)

// The structures of requests about tables, as package shape reads them: each member may be missing.

type attributeDefinitionInput struct {
	AttributeName *string `check:"notnull,minlen=1,maxlen=255"`
	AttributeType *string `check:"notnull,enum=B|N|S"`
}

type keySchemaElementInput struct {
	AttributeName *string `check:"notnull,minlen=1,maxlen=255"`
	KeyType       *string `check:"notnull,enum=HASH|RANGE"`
}

type projectionInput struct {
	ProjectionType   *string  `check:"enum=ALL|INCLUDE|KEYS_ONLY"`
	NonKeyAttributes []string `check:"minlen=1,maxlen=100"`
}

type provisionedThroughputInput struct {
	WriteCapacityUnits *int64 `check:"notnull,min=1"`
	ReadCapacityUnits  *int64 `check:"notnull,min=1"`
}

type globalSecondaryIndexInput struct {
	KeySchema             []keySchemaElementInput `check:"notnull,minlen=1,maxlen=2"`
	Projection            *projectionInput        `check:"notnull"`
	IndexName             *string                 `check:"notnull,name,minlen=3,maxlen=255"`
	ProvisionedThroughput *provisionedThroughputInput
	OnDemandThroughput    *onDemandThroughputInput
	WarmThroughput        *warmThroughputInput
}

type localSecondaryIndexInput struct {
	IndexName  *string                 `check:"notnull,name,minlen=3,maxlen=255"`
	KeySchema  []keySchemaElementInput `check:"notnull,minlen=1,maxlen=2"`
	Projection *projectionInput        `check:"notnull"`
}

type streamSpecificationInput struct {
	StreamEnabled  *bool   `check:"notnull"`
	StreamViewType *string `check:"enum=NEW_IMAGE|OLD_IMAGE|NEW_AND_OLD_IMAGES|KEYS_ONLY"`
}

type sSESpecificationInput struct {
	Enabled        *bool
	SSEType        *string `check:"enum=AES256|KMS"`
	KMSMasterKeyId *string
}

type onDemandThroughputInput struct {
	MaxReadRequestUnits  *int64
	MaxWriteRequestUnits *int64
}

type tagInput struct {
	Key   *string `check:"notnull,minlen=1,maxlen=128"`
	Value *string `check:"notnull,maxlen=256"`
}

// checkShape refuses a request with broken constraints.
func checkShape(in any) error {
	if message := shape.Check(in); message != "" {
		return validationError(message)
	}
	return nil
}

// checkNewTableName is the check of CreateTable, which tells it alone, before anything else.
func checkNewTableName(name *string) error {
	if name == nil {
		return missingTableName()
	}
	return checkShape(&struct {
		TableName *string `check:"name,minlen=3,maxlen=255"`
	}{name})
}

// checkTableName is the check of the other operations on tables. They have another way to complain of the length.
func checkTableName(name *string) error {
	if name == nil {
		return missingTableName()
	}
	if len(*name) < 3 || len(*name) > 255 {
		return validationError("TableName must be at least 3 characters long and at most 255 characters long")
	}
	return checkNewTableName(name)
}

func missingTableName() *Error {
	return validationError("The parameter 'TableName' is required but was not present in the request")
}

// orZero is what p points to, or the zero value.
func orZero[T any](p *T) T {
	if p == nil {
		return *new(T)
	}
	return *p
}

func schemaOf(in []keySchemaElementInput) []keySchemaElement {
	out := make([]keySchemaElement, len(in))
	for i, e := range in {
		out[i] = keySchemaElement{*e.AttributeName, *e.KeyType}
	}
	return out
}

func attributesOf(in []attributeDefinitionInput) []attributeDefinition {
	out := make([]attributeDefinition, len(in))
	for i, d := range in {
		out[i] = attributeDefinition{*d.AttributeName, *d.AttributeType}
	}
	return out
}

func (in *projectionInput) projection() projection {
	return projection{orZero(in.ProjectionType), in.NonKeyAttributes}
}

func (in *provisionedThroughputInput) throughput() throughput {
	if in == nil {
		return throughput{}
	}
	return throughput{ReadCapacityUnits: *in.ReadCapacityUnits, WriteCapacityUnits: *in.WriteCapacityUnits}
}

func (in *globalSecondaryIndexInput) definition(id uint32) indexDefinition {
	return indexDefinition{
		Name: *in.IndexName, ID: id, KeySchema: schemaOf(in.KeySchema),
		Projection: in.Projection.projection(), Throughput: in.ProvisionedThroughput.throughput(),
		OnDemand: in.OnDemandThroughput.merged(onDemandThroughput{}), Warm: in.WarmThroughput.warm(),
	}
}

func (in *localSecondaryIndexInput) definition(id uint32) indexDefinition {
	return indexDefinition{Name: *in.IndexName, ID: id, KeySchema: schemaOf(in.KeySchema), Projection: in.Projection.projection()}
}
