package usage

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/tabletop-db/tabletop/internal/util/exprtext"
)

// accessPath describes how a call accesses its items: the operation, the table and index, and the key condition with a
// ? for each value, such as "Query readings by hardware_id = ? backward limit 1". Calls with the same path cost the
// same, however much is stored; a Scan does not.
func accessPath(input any) string {
	switch in := input.(type) {
	case *dynamodb.GetItemInput:
		return "GetItem " + aws.ToString(in.TableName)
	case *dynamodb.PutItemInput:
		return "PutItem " + aws.ToString(in.TableName)
	case *dynamodb.UpdateItemInput:
		return "UpdateItem " + aws.ToString(in.TableName)
	case *dynamodb.DeleteItemInput:
		return "DeleteItem " + aws.ToString(in.TableName)
	case *dynamodb.QueryInput:
		return queryPath(in)
	case *dynamodb.ScanInput:
		return "Scan " + within(in.TableName, in.IndexName)
	case *dynamodb.BatchGetItemInput:
		return "BatchGetItem " + batched(in.RequestItems, func(k types.KeysAndAttributes) int { return len(k.Keys) })
	case *dynamodb.BatchWriteItemInput:
		return "BatchWriteItem " + batched(in.RequestItems, func(w []types.WriteRequest) int { return len(w) })
	case *dynamodb.TransactGetItemsInput:
		return "TransactGetItems " + joined(in.TransactItems, func(t types.TransactGetItem) string {
			return aws.ToString(t.Get.TableName)
		})
	case *dynamodb.TransactWriteItemsInput:
		return "TransactWriteItems " + joined(in.TransactItems, transactPath)
	}
	return strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%T", input), "*dynamodb."), "Input")
}

func queryPath(in *dynamodb.QueryInput) string {
	text := "Query " + within(in.TableName, in.IndexName) + " by " + keyCondition(aws.ToString(in.KeyConditionExpression),
		in.ExpressionAttributeNames)
	if in.FilterExpression != nil {
		text += " filtered"
	}
	if in.ScanIndexForward != nil && !*in.ScanIndexForward {
		text += " backward"
	}
	if in.Limit != nil {
		text += fmt.Sprintf(" limit %d", *in.Limit)
	}
	return text
}

// keyCondition returns an expression with its names substituted, and a ? for each value.
func keyCondition(expression string, names map[string]string) string {
	return exprtext.Normalize(expression, func(p string) string {
		if p[0] == ':' {
			return "?"
		}
		return cmp.Or(names[p], p)
	})
}

// within returns the name of a table, or of an index of it.
func within(table, index *string) string {
	if index == nil {
		return aws.ToString(table)
	}
	return aws.ToString(table) + "/" + *index
}

// batched lists the tables of a batch, with the number of items of each.
func batched[T any](items map[string]T, count func(T) int) string {
	var list []string
	for _, table := range slices.Sorted(maps.Keys(items)) {
		list = append(list, fmt.Sprintf("%s x%d", table, count(items[table])))
	}
	return strings.Join(list, ", ")
}

// joined lists the actions of a transaction, in order.
func joined[T any](items []T, path func(T) string) string {
	list := make([]string, len(items))
	for i, item := range items {
		list[i] = path(item)
	}
	return strings.Join(list, ", ")
}

func transactPath(t types.TransactWriteItem) string {
	switch {
	case t.Put != nil:
		return "Put " + aws.ToString(t.Put.TableName)
	case t.Update != nil:
		return "Update " + aws.ToString(t.Update.TableName)
	case t.Delete != nil:
		return "Delete " + aws.ToString(t.Delete.TableName)
	case t.ConditionCheck != nil:
		return "ConditionCheck " + aws.ToString(t.ConditionCheck.TableName)
	}
	return "nothing"
}
