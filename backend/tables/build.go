package tables

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Required returns a documented attribute that every item has; kind is DynamoDB's type letter.
func Required(name, kind string) Attribute { return Attribute{Name: name, Type: kind, Required: true} }

// Optional returns a documented attribute that an item may lack.
func Optional(name, kind string) Attribute { return Attribute{Name: name, Type: kind} }

// Hash returns a key schema of a partition key only.
func Hash(name string) []types.KeySchemaElement {
	return []types.KeySchemaElement{{AttributeName: aws.String(name), KeyType: types.KeyTypeHash}}
}

// HashAndRange returns a key schema of a partition key and a sort key.
func HashAndRange(partition, sort string) []types.KeySchemaElement {
	return append(Hash(partition), types.KeySchemaElement{AttributeName: aws.String(sort), KeyType: types.KeyTypeRange})
}

// GlobalIndex returns a global secondary index that projects all attributes.
func GlobalIndex(name string, key []types.KeySchemaElement) types.GlobalSecondaryIndex {
	return types.GlobalSecondaryIndex{
		IndexName: aws.String(name), KeySchema: key,
		Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
	}
}

// OnDemand returns the CreateTable request of a table with on-demand capacity. Its keys, and those of its indexes, are
// all strings, as in every document.
func OnDemand(name string, key []types.KeySchemaElement,
	indexes ...types.GlobalSecondaryIndex) *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{
		TableName: aws.String(name), KeySchema: key, BillingMode: types.BillingModePayPerRequest,
		GlobalSecondaryIndexes: indexes,
	}
	keys := key
	for _, i := range indexes {
		keys = append(keys[:len(keys):len(keys)], i.KeySchema...)
	}
	seen := map[string]bool{}
	for _, k := range keys {
		if seen[*k.AttributeName] {
			continue
		}
		seen[*k.AttributeName] = true
		in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{
			AttributeName: k.AttributeName, AttributeType: types.ScalarAttributeTypeS,
		})
	}
	return in
}
