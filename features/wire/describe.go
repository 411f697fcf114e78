package wire

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// describe returns the Call of a request's input. Operations that no pattern uses have only their name.
func describe(operation, prefix string, input any) Call {
	c := Call{Operation: operation}
	switch in := input.(type) {
	case *dynamodb.GetItemInput:
		c.Table, c.Key, c.Consistent = aws.ToString(in.TableName), key(in.Key), aws.ToBool(in.ConsistentRead)
		c.Projection = resolve(in.ProjectionExpression, in.ExpressionAttributeNames, nil)
	case *dynamodb.PutItemInput:
		c.Table, c.Item = aws.ToString(in.TableName), in.Item
		c.Condition = resolve(in.ConditionExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues)
	case *dynamodb.UpdateItemInput:
		c.Table, c.Key = aws.ToString(in.TableName), key(in.Key)
		c.Update = resolve(in.UpdateExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues)
		c.Condition = resolve(in.ConditionExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues)
	case *dynamodb.DeleteItemInput:
		c.Table, c.Key = aws.ToString(in.TableName), key(in.Key)
		c.Condition = resolve(in.ConditionExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues)
	case *dynamodb.QueryInput:
		c.query(in)
	case *dynamodb.ScanInput:
		c.Table, c.Index = aws.ToString(in.TableName), aws.ToString(in.IndexName)
		c.Limit, c.Consistent = aws.ToInt32(in.Limit), aws.ToBool(in.ConsistentRead)
		c.Filter = resolve(in.FilterExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues)
	case *dynamodb.BatchGetItemInput:
		c.Table = onlyOne(in.RequestItems)
		c.Consistent = aws.ToBool(in.RequestItems[c.Table].ConsistentRead)
	case *dynamodb.BatchWriteItemInput:
		c.Table = onlyOne(in.RequestItems)
	case *dynamodb.TransactWriteItemsInput:
		for _, item := range in.TransactItems {
			c.Actions = append(c.Actions, writeAction(item))
		}
	}
	c.trim(prefix)
	return c
}

// onlyOne returns the table that a batch is about, or "" if it is about several.
func onlyOne[T any](requests map[string]T) (table string) {
	for name := range requests {
		table = name
	}
	if len(requests) != 1 {
		return ""
	}
	return table
}

func (c *Call) query(in *dynamodb.QueryInput) {
	c.Table, c.Index = aws.ToString(in.TableName), aws.ToString(in.IndexName)
	c.Key = resolve(in.KeyConditionExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues)
	c.Filter = resolve(in.FilterExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues)
	c.Projection = resolve(in.ProjectionExpression, in.ExpressionAttributeNames, nil)
	c.Descending = in.ScanIndexForward != nil && !*in.ScanIndexForward
	c.Limit, c.Consistent = aws.ToInt32(in.Limit), aws.ToBool(in.ConsistentRead)
}

func writeAction(item types.TransactWriteItem) Action {
	switch {
	case item.Put != nil:
		p := item.Put
		return Action{Operation: "Put", Table: aws.ToString(p.TableName),
			Condition: resolve(p.ConditionExpression, p.ExpressionAttributeNames, p.ExpressionAttributeValues)}
	case item.Update != nil:
		u := item.Update
		return Action{Operation: "Update", Table: aws.ToString(u.TableName), Key: key(u.Key),
			Update:    resolve(u.UpdateExpression, u.ExpressionAttributeNames, u.ExpressionAttributeValues),
			Condition: resolve(u.ConditionExpression, u.ExpressionAttributeNames, u.ExpressionAttributeValues)}
	case item.Delete != nil:
		d := item.Delete
		return Action{Operation: "Delete", Table: aws.ToString(d.TableName), Key: key(d.Key),
			Condition: resolve(d.ConditionExpression, d.ExpressionAttributeNames, d.ExpressionAttributeValues)}
	case item.ConditionCheck != nil:
		k := item.ConditionCheck
		return Action{Operation: "Check", Table: aws.ToString(k.TableName), Key: key(k.Key),
			Condition: resolve(k.ConditionExpression, k.ExpressionAttributeNames, k.ExpressionAttributeValues)}
	}
	return Action{}
}

// trim removes the run's prefix from table names.
func (c *Call) trim(prefix string) {
	c.Table = strings.TrimPrefix(c.Table, prefix)
	for i := range c.Actions {
		c.Actions[i].Table = strings.TrimPrefix(c.Actions[i].Table, prefix)
	}
}
