package steps

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// request is a step's request, which can be sent any number of times.
type request struct {
	want
	expression
	world                              *World
	keys                               Item
	table, condition, update, filtered *string
}

// request parses a request in the wording of the steps that check the wire, such as: UpdateItem of "orders" where "id =
// '7'", setting "SET state = 'paid'", only if "state = 'open'".
func (w *World) request(text string) (*request, error) {
	described, err := w.want(text)
	if err != nil {
		return nil, err
	}
	r := &request{want: described, world: w, table: w.Table(described.table)}
	if described.table == "" {
		return nil, fmt.Errorf("the step names no table: %s", text)
	}
	if r.condition, err = r.part(described.condition); err != nil {
		return nil, err
	}
	if r.update, err = r.part(described.update); err != nil {
		return nil, err
	}
	if r.filtered, err = r.part(described.filter); err != nil || described.key == nil || r.operation == "Query" {
		return r, err
	}
	r.keys, err = keyOf(*described.key)
	return r, err
}

func (r *request) part(text *string) (*string, error) {
	if text == nil {
		return nil, nil
	}
	parsed, err := r.parse(*text)
	return &parsed, err
}

// send sends the request. The store's errors are in the reply. Errors: the step requests something that does not exist.
func (r *request) send(ctx context.Context, c *dynamodb.Client) (Reply, error) {
	switch r.operation {
	case "GetItem":
		return r.get(ctx, c), nil
	case "PutItem":
		return r.put(ctx, c), nil
	case "UpdateItem":
		return r.updateItem(ctx, c), nil
	case "DeleteItem":
		return r.delete(ctx, c), nil
	case "Query":
		return r.query(ctx, c)
	case "Scan":
		return r.scan(ctx, c), nil
	}
	return Reply{}, fmt.Errorf("unsupported operation %s: use GetItem, PutItem, UpdateItem, DeleteItem, Query or Scan",
		r.operation)
}

func (r *request) get(ctx context.Context, c *dynamodb.Client) Reply {
	out, err := c.GetItem(ctx, &dynamodb.GetItemInput{TableName: r.table, Key: r.keys, ConsistentRead: r.consistent,
		ReturnConsumedCapacity: counted})
	if err != nil {
		return Reply{Err: err}
	}
	return replyWith(out.Item, out.ConsumedCapacity)
}

func (r *request) put(ctx context.Context, c *dynamodb.Client) Reply {
	out, err := c.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: r.table, Item: r.item, ConditionExpression: r.condition, ReturnConsumedCapacity: counted,
		ExpressionAttributeNames: r.names, ExpressionAttributeValues: r.values,
	})
	if err != nil {
		return Reply{Err: err}
	}
	return replyWith(nil, out.ConsumedCapacity)
}

// updateItem returns the item as it is after the update.
func (r *request) updateItem(ctx context.Context, c *dynamodb.Client) Reply {
	out, err := c.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: r.table, Key: r.keys, UpdateExpression: r.update, ConditionExpression: r.condition,
		ReturnConsumedCapacity:   counted,
		ExpressionAttributeNames: r.names, ExpressionAttributeValues: r.values, ReturnValues: types.ReturnValueAllNew,
	})
	if err != nil {
		return Reply{Err: err}
	}
	return replyWith(out.Attributes, out.ConsumedCapacity)
}

// delete returns the item as it was before the deletion.
func (r *request) delete(ctx context.Context, c *dynamodb.Client) Reply {
	out, err := c.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: r.table, Key: r.keys, ConditionExpression: r.condition, ReturnConsumedCapacity: counted,
		ExpressionAttributeNames: r.names, ExpressionAttributeValues: r.values, ReturnValues: types.ReturnValueAllOld,
	})
	if err != nil {
		return Reply{Err: err}
	}
	return replyWith(out.Attributes, out.ConsumedCapacity)
}

func (r *request) query(ctx context.Context, c *dynamodb.Client) (Reply, error) {
	key, err := r.part(r.key)
	if err != nil {
		return Reply{}, err
	}
	in := &dynamodb.QueryInput{
		TableName: r.table, IndexName: r.indexName(), KeyConditionExpression: key, FilterExpression: r.filtered,
		Limit:          r.limit,
		ConsistentRead: r.consistent, ReturnConsumedCapacity: counted, ExpressionAttributeNames: r.names,
		ExpressionAttributeValues: r.values,
	}
	if r.descending != nil {
		in.ScanIndexForward = aws.Bool(!*r.descending)
	}
	out, err := c.Query(ctx, in)
	if err != nil {
		return Reply{Err: err}, nil
	}
	return Reply{Found: out.Items, Consumed: capacitiesOf(out.ConsumedCapacity)}, nil
}

func (r *request) scan(ctx context.Context, c *dynamodb.Client) Reply {
	out, err := c.Scan(ctx, &dynamodb.ScanInput{
		TableName: r.table, IndexName: r.indexName(), FilterExpression: r.filtered, Limit: r.limit,
		ConsistentRead:         r.consistent,
		ReturnConsumedCapacity: counted, ExpressionAttributeNames: r.names, ExpressionAttributeValues: r.values,
	})
	if err != nil {
		return Reply{Err: err}
	}
	return Reply{Found: out.Items, Consumed: capacitiesOf(out.ConsumedCapacity)}
}

// indexName returns the name of the index, or nil for the table itself.
func (r *request) indexName() *string {
	if r.index == "" {
		return nil
	}
	return &r.index
}

// counted requests the consumed capacity by index.
const counted = types.ReturnConsumedCapacityIndexes

func replyWith(item Item, c *types.ConsumedCapacity) Reply {
	reply := Reply{Consumed: capacitiesOf(c)}
	if item != nil {
		reply.Found = []Item{item}
	}
	return reply
}

// capacitiesOf returns the consumed capacity, or nothing for stores that do not report it.
func capacitiesOf(c *types.ConsumedCapacity) []types.ConsumedCapacity {
	if c == nil {
		return nil
	}
	return []types.ConsumedCapacity{*c}
}
