package usage

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"pgregory.net/rapid"

	"github.com/tabletop-db/tabletop/backend/tables"
	"github.com/tabletop-db/tabletop/emulator"
)

// TestItemBytes checks that sizes equal the emulator's, for values of all types.
func TestItemBytes(t *testing.T) {
	t.Parallel()
	client := dynamodb.NewFromConfig(emulator.Run(t).AWSConfig())
	table := tables.Table{Create: tables.OnDemand("sizes", tables.Hash("id"))}
	if err := tables.Create(t.Context(), client, []tables.Table{table}); err != nil {
		t.Fatal(err)
	}
	sum := int64(0)
	rapid.Check(t, func(rt *rapid.T) {
		item := map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: fmt.Sprint(sum)},
			"v": values(2).Draw(rt, "value")}
		sum += int64(itemBytes(item))
		if _, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("sizes"),
			Item: item}); err != nil {
			rt.Fatal(err)
		}
		d, err := tables.Describe(t.Context(), client, []tables.Table{table})
		if err != nil || d[0].Bytes != sum {
			rt.Fatalf("%d bytes, the table has %d after %v (%v)", sum, d[0].Bytes, item, err)
		}
	})
}

// values generates attribute values nested up to this depth.
func values(depth int) *rapid.Generator[types.AttributeValue] {
	kinds := []*rapid.Generator[types.AttributeValue]{
		rapid.Custom(func(t *rapid.T) types.AttributeValue {
			return &types.AttributeValueMemberS{Value: rapid.StringN(0, 20, 40).Draw(t, "text")}
		}),
		rapid.Custom(func(t *rapid.T) types.AttributeValue {
			return &types.AttributeValueMemberN{Value: rapid.SampledFrom([]string{"0", "7", "-7", "10", "1200", "22.5", "-0.001",
				"1700000000", "12345678901234567890", "0.10"}).Draw(t, "number")}
		}),
		rapid.Just[types.AttributeValue](&types.AttributeValueMemberBOOL{Value: true}),
		rapid.Just[types.AttributeValue](&types.AttributeValueMemberNULL{Value: true}),
		rapid.Just[types.AttributeValue](&types.AttributeValueMemberSS{Value: []string{"a", "bc"}}),
		rapid.Just[types.AttributeValue](&types.AttributeValueMemberB{Value: []byte{1, 2, 3}}),
	}
	if depth > 0 {
		kinds = append(kinds, rapid.Custom(func(t *rapid.T) types.AttributeValue {
			return &types.AttributeValueMemberL{Value: rapid.SliceOfN(values(depth-1), 0, 3).Draw(t, "list")}
		}), rapid.Custom(func(t *rapid.T) types.AttributeValue {
			return &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{"one": values(depth-1).Draw(t, "member")}}
		}))
	}
	return rapid.OneOf(kinds...)
}
