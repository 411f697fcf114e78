package dynamo

import "github.com/tabletop-db/tabletop/emulator/internal/dynamo/shape"

// The structures of requests about tables, as package shape reads them: each member may be missing.

// AttributeDefinitionInput is the type of a key attribute.
type AttributeDefinitionInput struct {
	AttributeName *string `check:"notnull,minlen=1,maxlen=255"`
	AttributeType *string `check:"notnull,enum=B|N|S"`
}

// KeySchemaElementInput is one attribute of a primary key.
type KeySchemaElementInput struct {
	AttributeName *string `check:"notnull,minlen=1,maxlen=255"`
	KeyType       *string `check:"notnull,enum=HASH|RANGE"`
}

// ProjectionInput lists the attributes that an index copies from its table.
type ProjectionInput struct {
	ProjectionType   *string  `check:"enum=ALL|INCLUDE|KEYS_ONLY"`
	NonKeyAttributes []string `check:"minlen=1,maxlen=100"`
}

// ProvisionedThroughputInput is provisioned capacity, in units per second.
type ProvisionedThroughputInput struct {
	WriteCapacityUnits *int64 `check:"notnull,min=1"`
	ReadCapacityUnits  *int64 `check:"notnull,min=1"`
}

// GlobalSecondaryIndexInput defines a global secondary index.
type GlobalSecondaryIndexInput struct {
	KeySchema             []KeySchemaElementInput `check:"notnull,minlen=1,maxlen=2"`
	Projection            *ProjectionInput        `check:"notnull"`
	IndexName             *string                 `check:"notnull,name,minlen=3,maxlen=255"`
	ProvisionedThroughput *ProvisionedThroughputInput
	OnDemandThroughput    *OnDemandThroughputInput
	WarmThroughput        *WarmThroughputInput
}

// LocalSecondaryIndexInput defines a local secondary index.
type LocalSecondaryIndexInput struct {
	IndexName  *string                 `check:"notnull,name,minlen=3,maxlen=255"`
	KeySchema  []KeySchemaElementInput `check:"notnull,minlen=1,maxlen=2"`
	Projection *ProjectionInput        `check:"notnull"`
}

// StreamSpecificationInput turns the stream of a table on or off, and sets what its records contain.
type StreamSpecificationInput struct {
	StreamEnabled  *bool   `check:"notnull"`
	StreamViewType *string `check:"enum=NEW_IMAGE|OLD_IMAGE|NEW_AND_OLD_IMAGES|KEYS_ONLY"`
}

// SSESpecificationInput is the encryption setting of a table: the key of DynamoDB, or one in KMS.
type SSESpecificationInput struct {
	Enabled        *bool
	SSEType        *string `check:"enum=AES256|KMS"`
	KMSMasterKeyId *string
}

// OnDemandThroughputInput limits the request units per second of a table or an index on demand.
type OnDemandThroughputInput struct {
	MaxReadRequestUnits  *int64
	MaxWriteRequestUnits *int64
}

// TagInput is a tag of a resource.
type TagInput struct {
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

func schemaOf(in []KeySchemaElementInput) []keySchemaElement {
	out := make([]keySchemaElement, len(in))
	for i, e := range in {
		out[i] = keySchemaElement{*e.AttributeName, *e.KeyType}
	}
	return out
}

func attributesOf(in []AttributeDefinitionInput) []attributeDefinition {
	out := make([]attributeDefinition, len(in))
	for i, d := range in {
		out[i] = attributeDefinition{*d.AttributeName, *d.AttributeType}
	}
	return out
}

func (in *ProjectionInput) projection() projection {
	return projection{orZero(in.ProjectionType), in.NonKeyAttributes}
}

func (in *ProvisionedThroughputInput) throughput() throughput {
	if in == nil {
		return throughput{}
	}
	return throughput{ReadCapacityUnits: *in.ReadCapacityUnits, WriteCapacityUnits: *in.WriteCapacityUnits}
}

func (in *GlobalSecondaryIndexInput) definition(id uint32) indexDefinition {
	return indexDefinition{
		Name: *in.IndexName, ID: id, KeySchema: schemaOf(in.KeySchema),
		Projection: in.Projection.projection(), Throughput: in.ProvisionedThroughput.throughput(),
		OnDemand: in.OnDemandThroughput.merged(onDemandThroughput{}), Warm: in.WarmThroughput.warm(),
	}
}

func (in *LocalSecondaryIndexInput) definition(id uint32) indexDefinition {
	return indexDefinition{Name: *in.IndexName, ID: id, KeySchema: schemaOf(in.KeySchema), Projection: in.Projection.projection()}
}
