package tablefile

import (
	"cmp"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// CreateTable returns the request that creates the table, without what needs requests of its own: TTL, point-in-time
// recovery and alarms.
func (t *Table) CreateTable() *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{
		TableName: &t.Name, KeySchema: t.Key.elements(), AttributeDefinitions: t.definitions(),
		BillingMode: t.billingMode(), Tags: tagsOf(t.Tags),
		SSESpecification: t.sse(), StreamSpecification: t.stream(),
	}
	in.ProvisionedThroughput, in.OnDemandThroughput = t.initialThroughput(t.Throughput)
	if t.Class == InfrequentAccess {
		in.TableClass = types.TableClassStandardInfrequentAccess
	}
	if t.DeletionProtection {
		in.DeletionProtectionEnabled = aws.Bool(true)
	}
	if t.Policy != "" {
		in.ResourcePolicy = aws.String(string(t.Policy))
	}
	for _, x := range t.Indexes {
		if x.Local {
			in.LocalSecondaryIndexes = append(in.LocalSecondaryIndexes, types.LocalSecondaryIndex{
				IndexName: &x.Name, KeySchema: x.Key.elements(), Projection: x.Project.request(),
			})
			continue
		}
		g := types.GlobalSecondaryIndex{IndexName: &x.Name, KeySchema: x.Key.elements(), Projection: x.Project.request()}
		g.ProvisionedThroughput, g.OnDemandThroughput = t.initialThroughput(x.Throughput)
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, g)
	}
	return in
}

func (k KeySchema) elements() []types.KeySchemaElement {
	var all []types.KeySchemaElement
	for _, name := range k.Partition {
		all = append(all, types.KeySchemaElement{AttributeName: aws.String(name), KeyType: types.KeyTypeHash})
	}
	for _, name := range k.Sort {
		all = append(all, types.KeySchemaElement{AttributeName: aws.String(name), KeyType: types.KeyTypeRange})
	}
	return all
}

// definitions returns the key attributes with their types, in the order of their names.
func (t *Table) definitions() []types.AttributeDefinition {
	names := map[string]bool{}
	for _, name := range t.Key.names() {
		names[name] = true
	}
	for _, x := range t.Indexes {
		for _, name := range x.Key.names() {
			names[name] = true
		}
	}
	var all []types.AttributeDefinition
	for _, name := range slices.Sorted(maps.Keys(names)) {
		all = append(all, types.AttributeDefinition{
			AttributeName: aws.String(name), AttributeType: types.ScalarAttributeType(cmp.Or(t.Attributes[name], "S")),
		})
	}
	return all
}

func (t *Table) billingMode() types.BillingMode {
	if t.Billing == Provisioned {
		return types.BillingModeProvisioned
	}
	return types.BillingModePayPerRequest
}

// throughput returns a capacity for the table's billing mode, or nil.
func (t *Table) throughput(c *Capacity) (*types.ProvisionedThroughput, *types.OnDemandThroughput) {
	switch {
	case c == nil:
		return nil, nil
	case t.Billing == Provisioned:
		return &types.ProvisionedThroughput{ReadCapacityUnits: &c.Read, WriteCapacityUnits: &c.Write}, nil
	}
	return nil, &types.OnDemandThroughput{MaxReadRequestUnits: orUnlimited(c.Read),
		MaxWriteRequestUnits: orUnlimited(c.Write)}
}

// initialThroughput returns the capacity of a new table or index, which has no maximum to remove: -1 would be refused.
func (t *Table) initialThroughput(c *Capacity) (*types.ProvisionedThroughput, *types.OnDemandThroughput) {
	provisioned, onDemand := t.throughput(c)
	if onDemand != nil && c.Read == 0 {
		onDemand.MaxReadRequestUnits = nil
	}
	if onDemand != nil && c.Write == 0 {
		onDemand.MaxWriteRequestUnits = nil
	}
	return provisioned, onDemand
}

// orUnlimited returns a maximum throughput; -1 removes it.
func orUnlimited(units int64) *int64 { return aws.Int64(cmp.Or(units, -1)) }

func (p Projection) request() *types.Projection {
	switch {
	case len(p.Include) > 0:
		return &types.Projection{ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: p.Include}
	case p.KeysOnly:
		return &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}
	}
	return &types.Projection{ProjectionType: types.ProjectionTypeAll}
}

// sse returns nil for DynamoDB's own key.
func (t *Table) sse() *types.SSESpecification {
	switch t.Encryption {
	case Owned, "":
		return nil
	case AWSKey:
		return &types.SSESpecification{Enabled: aws.Bool(true), SSEType: types.SSETypeKms}
	}
	return &types.SSESpecification{Enabled: aws.Bool(true), SSEType: types.SSETypeKms, KMSMasterKeyId: &t.Encryption}
}

// streamViewTypes maps the file's words to stream view types.
func streamViewTypes() map[string]types.StreamViewType {
	return map[string]types.StreamViewType{
		"keys-only": types.StreamViewTypeKeysOnly, "new-image": types.StreamViewTypeNewImage,
		"old-image": types.StreamViewTypeOldImage, "new-and-old-images": types.StreamViewTypeNewAndOldImages,
	}
}

func (t *Table) stream() *types.StreamSpecification {
	if t.Stream == "" {
		return nil
	}
	return &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: streamViewTypes()[t.Stream]}
}

func tagsOf(tags map[string]string) []types.Tag {
	var all []types.Tag
	for _, key := range slices.Sorted(maps.Keys(tags)) {
		all = append(all, types.Tag{Key: aws.String(key), Value: aws.String(tags[key])})
	}
	return all
}
