package tables

import (
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"

	"github.com/tabletop-db/tabletop/backend/internal/dbtest"
)

// sample returns a table with an index and TTL.
func sample(name string) Table {
	key := func(name string) []types.KeySchemaElement {
		return []types.KeySchemaElement{{AttributeName: aws.String(name), KeyType: types.KeyTypeHash}}
	}
	return Table{
		TTLAttribute: "expires",
		Create: &dynamodb.CreateTableInput{
			TableName: aws.String(name), BillingMode: types.BillingModePayPerRequest, KeySchema: key("id"),
			AttributeDefinitions: []types.AttributeDefinition{
				{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS},
				{AttributeName: aws.String("owner"), AttributeType: types.ScalarAttributeTypeS},
			},
			GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
				IndexName: aws.String("by_owner"), KeySchema: key("owner"),
				Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
			}},
		},
	}
}

// TestTableLifecycle creates, describes and drops tables, each step twice, because every step may be repeated.
func TestTableLifecycle(t *testing.T) {
	t.Parallel()
	client, prefix := dynamodb.NewFromConfig(dbtest.Config(t)), uuid.NewString()[:8]
	all := []Table{sample(prefix + "-a"), sample(prefix + "-b")}
	for range 2 {
		if err := Create(t.Context(), client, all); err != nil {
			t.Fatal(err)
		}
		got, err := Describe(t.Context(), client, all)
		if err != nil {
			t.Fatal(err)
		}
		for i, d := range got {
			if d.Name != all[i].Name() || d.Status != "ACTIVE" || d.TTLAttribute != "expires" || !slices.Equal(d.Indexes,
				[]string{"by_owner"}) {
				t.Errorf("described %+v", d)
			}
		}
	}
	for range 2 {
		if err := Drop(t.Context(), client, all); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Describe(t.Context(), client, all)
	if err != nil || got[0].Status != Missing || got[1].Status != Missing {
		t.Errorf("after Drop: %+v, %v", got, err)
	}
}

// TestCreateRefusesDifferentTables checks that an existing table with another key or without an index is refused and
// left unchanged.
func TestCreateRefusesDifferentTables(t *testing.T) {
	t.Parallel()
	client, name := dynamodb.NewFromConfig(dbtest.Config(t)), uuid.NewString()
	minimal := sample(name)
	minimal.Create.GlobalSecondaryIndexes, minimal.Create.AttributeDefinitions = nil,
		minimal.Create.AttributeDefinitions[:1]
	if err := Create(t.Context(), client, []Table{minimal}); err != nil {
		t.Fatal(err)
	}
	other := sample(name)
	other.Create.KeySchema[0].AttributeName = aws.String("owner")
	other.Create.GlobalSecondaryIndexes, other.Create.AttributeDefinitions = nil, other.Create.AttributeDefinitions[1:]
	for want, table := range map[string]Table{"index by_owner is missing": sample(name), "the key owner S HASH": other} {
		err := Create(t.Context(), client, []Table{table})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "choose another prefix") {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if err := Drop(t.Context(), client, []Table{minimal}); err != nil {
		t.Error(err)
	}
}
