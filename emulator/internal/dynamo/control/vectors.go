package control

import (
	"slices"
	"strconv"

	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/engine"
	"github.com/tabletop-db/tabletop/emulator/internal/dynamo/wire"
)

// VectorIndexInput defines a vector index.
type VectorIndexInput struct {
	IndexName        *string                         `check:"notnull,name,minlen=3,maxlen=255"`
	VectorAttribute  *VectorAttributeDefinitionInput `check:"notnull"`
	SearchSchema     []SearchSchemaElementInput      `check:"minlen=1"`
	Projection       *ProjectionInput                `check:"notnull"`
	Dimensions       *int64                          `check:"notnull,min=1"`
	DistanceFunction *string                         `check:"notnull,enum=COSINE|DOT_PRODUCT|EUCLIDEAN"`
}

// VectorAttributeDefinitionInput names the attribute that holds the vectors.
type VectorAttributeDefinitionInput struct {
	AttributeName *string `check:"notnull,minlen=1,maxlen=255"`
}

// SearchSchemaElementInput is an attribute that restricts searches.
type SearchSchemaElementInput struct {
	AttributeName           *string `check:"notnull,maxlen=65535"`
	SearchSchemaElementType *string `check:"notnull,enum=HASH|INLINE_FILTER"`
}

// VectorIndexUpdateInput is one change of the vector indexes of a table: exactly one member is set.
type VectorIndexUpdateInput struct {
	Create *CreateVectorIndexActionInput
	Delete *DeleteVectorIndexActionInput
}

// CreateVectorIndexActionInput defines a new vector index of an existing table.
type CreateVectorIndexActionInput VectorIndexInput

// DeleteVectorIndexActionInput names the vector index to delete.
type DeleteVectorIndexActionInput struct {
	IndexName *string `check:"notnull,name,minlen=3,maxlen=255"`
}

// The limits of vector indexes (nubo-db/dynamodb-conformance, eu-west-2, 2026-08-11).
const maxVectorIndexes, maxDimensions = 5, 4096

// Definition converts the index, giving it an id.
func (in *VectorIndexInput) Definition(id uint32) engine.VectorDefinition {
	x := engine.VectorDefinition{Name: *in.IndexName, ID: id, Attribute: *in.VectorAttribute.AttributeName,
		Projection: in.Projection.projection(), Dimensions: *in.Dimensions, Distance: *in.DistanceFunction}
	for _, e := range in.SearchSchema {
		x.Schema = append(x.Schema, engine.SearchSchemaElement{AttributeName: *e.AttributeName,
			SearchSchemaElementType: *e.SearchSchemaElementType})
	}
	return x
}

// checkVectorIndexes checks the vector indexes of a new table. The messages were recorded in eu-west-2 and us-east-1
// (nubo-db/dynamodb-conformance, 2026-08-11; nubo-db/dynoxide, 2026-08-12), the order of the checks was not.
func (in *CreateTableInput) checkVectorIndexes() error {
	switch {
	case in.VectorIndexes == nil:
		return nil
	case len(in.VectorIndexes) == 0:
		return wire.ParameterError("List of VectorIndexes is empty")
	case len(in.VectorIndexes) > maxVectorIndexes:
		return tooManyVectorIndexes()
	}
	var all []engine.VectorDefinition
	for _, x := range in.VectorIndexes {
		all = append(all, x.Definition(0))
	}
	for i, x := range all {
		if err := checkVectorIndex(x, all[:i], attributesOf(in.AttributeDefinitions), in.billing()); err != nil {
			return err
		}
	}
	return nil
}

func tooManyVectorIndexes() error {
	return wire.ParameterError("VectorIndex count exceeds the per-table limit of " + strconv.Itoa(maxVectorIndexes))
}

// checkVectorIndex checks a vector index of a table that has other vector indexes.
func checkVectorIndex(x engine.VectorDefinition, others []engine.VectorDefinition,
	attributes []engine.AttributeDefinition, billing string) error {
	switch {
	case billing != engine.OnDemand:
		return wire.ParameterError("Vector indexes are only supported for PAY_PER_REQUEST tables")
	case x.Dimensions > maxDimensions:
		return wire.ParameterError("Number of dimensions must be between 1 and 4096 inclusive.")
	case defines(attributes, x.Attribute):
		return wire.ParameterError("Conflicting attribute definition for '" + x.Attribute + "'. An attribute cannot be " +
			"defined in AttributeDefinitions when used as a VectorAttribute.")
	}
	if err := checkSearchSchema(x.Schema, attributes); err != nil {
		return err
	}
	if err := checkProjection(x.Projection); err != nil {
		return err
	}
	if slices.ContainsFunc(others, func(o engine.VectorDefinition) bool {
		return o.Attribute == x.Attribute && o.Dimensions != x.Dimensions
	}) {
		return wire.ParameterError("Conflicting attribute definition for '" + x.Attribute + "'. All VectorIndexes on the " +
			"same vector attribute must use the same dimensions.")
	}
	return nil
}

func checkSearchSchema(schema []engine.SearchSchemaElement, attributes []engine.AttributeDefinition) error {
	partitionKeys := 0
	for i, e := range schema {
		if slices.ContainsFunc(schema[:i], func(o engine.SearchSchemaElement) bool {
			return o.AttributeName == e.AttributeName
		}) {
			return wire.ParameterError("SearchSchema contains a duplicate AttributeName")
		}
		if !defines(attributes, e.AttributeName) {
			return wire.ParameterError("One element in SearchSchema is not defined in attribute definitions")
		}
		if e.SearchSchemaElementType == "HASH" {
			partitionKeys++
		}
	}
	if partitionKeys > 1 {
		return wire.ParameterError("Value '" + strconv.Itoa(partitionKeys) + "' at 'SearchSchema' failed to satisfy " +
			"constraint: Member must have HASH count less than or equal to 1")
	}
	return nil
}

// ErrVectorsProvisioned returns the error for provisioned capacity of a table with vector indexes.
func ErrVectorsProvisioned() error {
	return wire.ParameterError("Tables with vector indexes must be in PAY_PER_REQUEST mode")
}

// VectorDescription is the settings of a vector index.
type VectorDescription struct {
	IndexName        string
	VectorAttribute  struct{ AttributeName string }
	SearchSchema     []engine.SearchSchemaElement `json:",omitempty"`
	Projection       ProjectionDescription
	Dimensions       int64
	DistanceFunction string
}

// vectorIndexDescription is the DescribeTable representation of a vector index.
type vectorIndexDescription struct {
	VectorDescription
	IndexStatus    string
	Backfilling    *bool `json:",omitempty"`
	IndexSizeBytes int64
	ItemCount      int64
	IndexArn       string
}

// DescribeVectorSettings describes the settings of a vector index.
func DescribeVectorSettings(x engine.VectorDefinition) VectorDescription {
	d := VectorDescription{IndexName: x.Name, SearchSchema: x.Schema, Projection: ProjectionDescription(x.Projection),
		Dimensions: x.Dimensions, DistanceFunction: x.Distance}
	d.VectorAttribute.AttributeName = x.Attribute
	return d
}

func describeVector(t *engine.Table, def engine.VectorDefinition) vectorIndexDescription {
	x, _ := t.Vector(def.Name)
	items, bytes := x.Stats.Counts()
	d := vectorIndexDescription{VectorDescription: DescribeVectorSettings(def), IndexStatus: engine.Active,
		IndexSizeBytes: bytes, ItemCount: items, IndexArn: t.Def.ARN + "/index/" + def.Name}
	if def.Backfilling {
		d.IndexStatus, d.Backfilling = engine.Creating, &def.Backfilling
	}
	return d
}
