package advice

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

const largeItemProblem = "items of up to 350 KB: writes fail from 400 KB on, and each small update costs as much as " +
	"writing the whole item"

func TestLargeItem(t *testing.T) {
	t.Parallel()
	wantFinding(t, "large-item", "documents", largeItemProblem, func(t *testing.T, db *dynamodb.Client) {
		newTable(t, db, "documents", "id")
		put(t, db, "documents", map[string]string{"id": "a", "text": kilobytes(350)})
	})
}

func TestLargeItemThatGrows(t *testing.T) {
	t.Parallel()
	wantFinding(t, "large-item", "documents", largeItemProblem, func(t *testing.T, db *dynamodb.Client) {
		newTable(t, db, "documents", "id")
		for range 7 {
			appendTo(t, db, "a", kilobytes(50))
		}
	})
}

// appendTo appends to the list of a document.
func appendTo(t *testing.T, db *dynamodb.Client, id, text string) {
	t.Helper()
	in := &dynamodb.UpdateItemInput{TableName: aws.String("documents"),
		Key:              map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}},
		UpdateExpression: aws.String("SET parts = list_append(if_not_exists(parts, :none), :part)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":none": &types.AttributeValueMemberL{},
			":part": &types.AttributeValueMemberL{Value: []types.AttributeValue{&types.AttributeValueMemberS{Value: text}}}}}
	if _, err := db.UpdateItem(t.Context(), in); err != nil {
		t.Fatal(err)
	}
}

func TestLargeItemLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	cases := map[string]func(*testing.T, *dynamodb.Client){
		"items of 250 KB": func(t *testing.T, db *dynamodb.Client) {
			newTable(t, db, "documents", "id")
			put(t, db, "documents", map[string]string{"id": "a", "text": kilobytes(250)})
			get(t, db, "documents", "id", "a")
			appendTo(t, db, "a", "more")
		},
		"a large batch of small items": func(t *testing.T, db *dynamodb.Client) {
			newTable(t, db, "documents", "id")
			in := &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{}}
			for _, id := range []string{"a", "b", "c", "d"} {
				in.RequestItems["documents"] = append(in.RequestItems["documents"], types.WriteRequest{
					PutRequest: &types.PutRequest{Item: map[string]types.AttributeValue{
						"id":   &types.AttributeValueMemberS{Value: id},
						"text": &types.AttributeValueMemberS{Value: kilobytes(200)}}}})
			}
			if _, err := db.BatchWriteItem(t.Context(), in); err != nil {
				t.Fatal(err)
			}
		},
	}
	for name, program := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantNothing(t, "large-item", program)
		})
	}
}

func TestItemBytes(t *testing.T) {
	t.Parallel()
	s := func(text string) any { return map[string]any{"S": text} }
	cases := map[string]struct {
		value any
		want  int // without the name, of one byte
	}{
		"text":    {s("äb"), 3},
		"number":  {map[string]any{"N": "1234"}, 3},
		"binary":  {map[string]any{"B": "AAAA"}, 3},
		"null":    {map[string]any{"NULL": true}, 1},
		"set":     {map[string]any{"SS": []any{"a", "bc"}}, 3},
		"list":    {map[string]any{"L": []any{s("a"), s("bc")}}, 8},
		"map":     {map[string]any{"M": map[string]any{"k": s("a")}}, 6},
		"numbers": {map[string]any{"NS": []any{"12", "3456"}}, 5},
	}
	for name, c := range cases {
		if got := itemBytes(map[string]any{"x": c.value}) - 1; got != c.want {
			t.Errorf("%s: %d bytes, want %d", name, got, c.want)
		}
	}
}
